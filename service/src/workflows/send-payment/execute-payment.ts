import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { formatTokenAmount } from "../../foundation/money/token-amount.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { DECIDE_AGAIN } from "../../idempotency/money/run-money-request.ts";
import { requestApproval } from "../../modules/approvals/index.ts";
import { type Payment, refusalOfSpend, type Spend, settledByLedger, spend } from "../../modules/payments/index.ts";
import { openVault } from "../../vault/open-vault.ts";
import type { DecidedOperation } from "../decisions/decide-operation.ts";
import type { PaymentPlan } from "./plan-payment.ts";
import { canAuthorize } from "./queries.ts";

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

type Asking = NonNullable<DecidedOperation["asking"]>;

/**
 * Pays, holds or asks a person, in the caller's transaction, and returns the payment with its new values. The caller stores
 * it. Returns the refusal if the cap, a limit or the balance does not allow the payment, and `DECIDE_AGAIN` as `spend` does.
 * A simulation replaces `askPerson`.
 */
export async function executePayment(
  tx: Tx,
  app: App,
  actor: Actor,
  planned: PlannedPayment,
  askPerson: typeof askForPayment = askForPayment,
): Promise<Payment | AppError | typeof DECIDE_AGAIN> {
  const { payment, plan } = planned;
  const command = spendOf(planned);
  // No one is asked for what could not be paid.
  const ask = async (asking: Asking) =>
    (await refusalOfSpend(tx, app, actor, command)) ?? askPerson(tx, app, actor, { payment, plan, asking });
  const tooMany = await authorizationRefusal(tx, payment, app.clock.now());
  if (tooMany !== undefined) return tooMany;
  if (plan.decided.asking !== undefined) return ask(plan.decided.asking);
  const outcome = await spend(tx, app, actor, command);
  if (outcome instanceof AppError) {
    const asks = outcome.code === "cap_exceeded" && command.aboveCap === "ask";
    return asks ? ask({ rules: [PROJECT_CAP], expiresInSeconds: CAP_APPROVAL_SECONDS }) : outcome;
  }
  return typeof outcome === "symbol" ? outcome : settledByLedger(payment, outcome, app.clock.now());
}

/** Returns the error for an authorization if the wallet has too many open ones. */
async function authorizationRefusal(tx: Tx, { execution, walletId }: Payment, at: Date): Promise<AppError | undefined> {
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

/**
 * Asks a person to approve the payment, and returns it in the status `requires_approval`. Nothing is reserved. Throws
 * `conflict` if the agent already waits for too many approvals.
 */
async function askForPayment(
  tx: Tx,
  app: App,
  actor: Actor,
  {
    payment,
    plan: { payeeIsNew },
    asking: { rules, expiresInSeconds },
  }: {
    readonly payment: Payment;
    readonly plan: PaymentPlan;
    readonly asking: Asking;
  },
): Promise<Payment> {
  const { tenantId, paymentId, agentId, asset, network, purpose, requestedExpiresAt } = payment;
  const at = app.clock.now();
  const latest = new Date(at.getTime() + expiresInSeconds * 1_000);
  const expiresAt = requestedExpiresAt !== null && requestedExpiresAt < latest ? requestedExpiresAt : latest;
  const amount = formatTokenAmount({ asset, baseUnits: payment.baseUnits });
  const token = asset.toUpperCase();
  const { approvalId } = await requestApproval(tx, { ...app, vault: await openVault(app, tenantId) }, actor, {
    subject: { type: "payment", id: paymentId },
    agentId,
    summary: {
      title: `Pay ${amount} ${token} to ${payment.payeeAddress} on ${network}`,
      amount,
      currency: asset,
      payee: payment.payeeAddress,
      reason: purpose,
      lineItems: [],
      riskFlags: payeeIsNew ? ["new_payee"] : [],
    },
    rules,
    expiresAt,
  });
  return { ...payment, status: "requires_approval", approvalId, expiresAt, updatedAt: at };
}
