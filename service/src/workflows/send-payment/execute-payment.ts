import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { DECIDE_AGAIN } from "../../idempotency/money/run-money-request.ts";
import type { Payment } from "../../modules/payments/index.ts";
import type { DecidedOperation } from "../decisions/decide-operation.ts";
import { refusalOfSpend, type Spend, type Spent, spend } from "../spend/spend.ts";
import { askForPayment } from "./ask-for-payment.ts";
import type { PaymentPlan } from "./plan-payment.ts";
import { canAuthorize } from "./queries.ts";

/** How long an authorization holds at most. */
export const AUTHORIZATION_MAX_MS = 7 * 86_400_000;

/** How long a person has to approve that a cap is exceeded. */
const CAP_APPROVAL_SECONDS = 86_400;
const PROJECT_CAP = { policyId: null, policyVersion: null, ruleId: "project_cap" } as const;

/** A payment that is not stored yet, or that waits for an approval, and the plan to make it. */
export interface PlannedPayment {
  readonly payment: Payment;
  readonly plan: PaymentPlan;
  /** Whether a person has agreed to exceed the project's cap. Default: no. */
  readonly exceedsCap?: boolean;
}

/**
 * Pays, holds or asks a person, in the caller's transaction, and returns the payment with its new values. The caller stores
 * it. Returns the refusal if the cap, a limit or the balance does not allow the payment, and `DECIDE_AGAIN` as `spend` does.
 */
export async function executePayment(
  tx: Tx,
  app: App,
  actor: Actor,
  planned: PlannedPayment,
): Promise<Payment | AppError | typeof DECIDE_AGAIN> {
  const { payment, plan } = planned;
  const command = spendOf(planned);
  // No one is asked for what could not be paid.
  const ask = async (asking: NonNullable<DecidedOperation["asking"]>) =>
    (await refusalOfSpend(tx, app, actor, command)) ?? askForPayment(tx, app, actor, { payment, plan, asking });
  const tooMany = await authorizationRefusal(tx, payment, app.clock.now());
  if (tooMany !== undefined) return tooMany;
  if (plan.decided.asking !== undefined) return ask(plan.decided.asking);
  const outcome = await spend(tx, app, actor, command);
  if (outcome instanceof AppError) {
    const asks = outcome.code === "cap_exceeded" && command.aboveCap === "ask";
    return asks ? ask({ rules: [PROJECT_CAP], expiresInSeconds: CAP_APPROVAL_SECONDS }) : outcome;
  }
  return typeof outcome === "symbol" ? outcome : settledBy(payment, outcome, app.clock.now());
}

/** Returns the error for an authorization if the wallet has too many open ones. */
export async function authorizationRefusal(
  tx: Tx,
  { execution, walletId }: Payment,
  at: Date,
): Promise<AppError | undefined> {
  const { max } = QUOTAS.openAuthorizations;
  if (execution === "auto" || (await canAuthorize(tx, { walletId, at }, max))) return undefined;
  const detail = `The wallet has ${max.toLocaleString("en-US")} open authorizations. Capture or void some of them, or wait until they expire.`;
  return new AppError("conflict", { detail });
}

/** Returns what the payment spends. */
export function spendOf({ payment, plan, exceedsCap = false }: PlannedPayment): Spend {
  const { tenantId, mode, paymentId, asset, baseUnits, execution } = payment;
  const { project, decided } = plan;
  return {
    mode,
    cause: { type: "payment", id: paymentId },
    amount: { asset, baseUnits },
    kind: execution === "auto" ? "direct" : "hold",
    debitAccountId: plan.debitAccountId,
    creditAccountId: plan.creditAccountId,
    project:
      project === null ? undefined : { tenantId, mode, projectId: project.projectId, agentIds: [], projectIds: [] },
    aboveCap: exceedsCap ? "exceed" : project?.capBehavior === "require_approval" ? "ask" : "block",
    decision: decided,
  };
}

/** Returns the payment after its amount was moved or held. */
export function settledBy(payment: Payment, { transferId, reservationId }: Spent, at: Date): Payment {
  const spent = { ...payment, transferId, reservationId: reservationId ?? null, updatedAt: at };
  if (payment.execution === "auto") {
    const paidBaseUnits = payment.baseUnits;
    return { ...spent, status: "confirmed", paidBaseUnits, settledAt: at, expiresAt: null };
  }
  const latest = new Date(at.getTime() + AUTHORIZATION_MAX_MS);
  const { requestedExpiresAt } = payment;
  const isEarlier = requestedExpiresAt !== null && requestedExpiresAt < latest;
  return { ...spent, status: "authorized", expiresAt: isEarlier ? requestedExpiresAt : latest };
}
