import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { MoreStatementsNeeded } from "../../../db/errors.ts";
import { AppError } from "../../../foundation/errors.ts";
import { newId, type PaymentId } from "../../../foundation/ids.ts";
import { formatTokenAmount } from "../../../foundation/money.ts";
import type { PaymentExecution } from "../../../foundation/vocabulary.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";
import {
  type DECIDE_AGAIN,
  type MoneyAnswer,
  type MoneyClaim,
  runMoneyRequest,
} from "../../../idempotency/money/run-money-request.ts";
import { openVault } from "../../../vault/vault.ts";
import { requestApproval } from "../../approvals/approvals.ts";
import type { DecidedOperation } from "../../decisions/decide-operation.ts";
import { policyDecisionRows } from "../../decisions/queries.ts";
import { requireRevisionWithNext } from "../../policies/queries.ts";
import { wakeSending } from "../../user-operations/schedule-sending.ts";
import { forgetPaymentBalances } from "../change-payment.ts";
import { releaseExpiredHolds } from "../end-waiting-payments.ts";
import { type PresentedPayment, presentPayment } from "../payment-resource.ts";
import type { Payment } from "../queries.ts";
import { paymentRecordOf, settled, settlerOf } from "../settle-payment.ts";
import { refusalOfSpend, type Spend, spend, spendWithNextStatement } from "../spend/spend.ts";
import { findNetworkProblem } from "./network-problem.ts";
import {
  cachedPaymentFacts,
  cachePaymentFacts,
  type PaymentOrder,
  type PaymentPlan,
  paymentQueryOf,
  planPayment,
} from "./plan-payment.ts";
import {
  canAuthorize,
  type PaymentRow,
  requireAuthorizableWithNext,
  requireFactsWithNext,
  type StoredPaymentFacts,
  sendStatements,
} from "./queries.ts";

/** What the caller says about a payment beside its order. */
export interface PaymentDetails {
  readonly execution: PaymentExecution;
  readonly purpose: string | null;
  readonly reference: string | null;
  readonly maxFeeBaseUnits: bigint | null;
  readonly requestedExpiresAt: Date | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface SendPayment {
  readonly order: PaymentOrder;
  readonly details: PaymentDetails;
}

export interface SentPayment {
  readonly payment: Payment;
  readonly plan: PaymentPlan;
  /** The API representation, which is signed. */
  readonly presented: PresentedPayment;
}

/**
 * Pays, or holds the amount with the execution `authorize_only`, or asks a person if a policy or the project's cap
 * requires it. The payment is then in the status `requires_approval`, and nothing is reserved. Throws the refusals of
 * `planPayment` and of `spend`, and in live mode `network_unavailable` and `provider_not_configured`.
 */
export async function sendPayment(
  app: App,
  actor: Actor,
  claim: MoneyClaim<SentPayment>,
  command: SendPayment,
): Promise<MoneyAnswer> {
  const { order } = command;
  const at = app.clock.now();
  const paymentId = newId("pay");
  const planned = (plan: PaymentPlan) => ({
    plan,
    payment: newPayment(command, plan, paymentId, at),
  });
  let outcome: SentPayment | undefined;
  const sent = (plan: PaymentPlan, payment: Payment): SentPayment => {
    outcome = { plan, payment, presented: presentPayment(app, payment, at) };
    return outcome;
  };
  const query = paymentQueryOf(order, at);
  const unavailable = await findNetworkProblem(app, order);
  const cached = cachedPaymentFacts(query);
  let areHoldsReleased = false;
  let decided: { readonly plan: PaymentPlan; readonly stored: StoredPaymentFacts } | undefined;
  const answer = await runMoneyRequest(app, actor, claim, {
    statements: sendStatements,
    query,
    cachedFacts: () => cached,
    decide: async (stored, db) => {
      const plan = await planPayment(db, stored.facts, order, at);
      decided = { plan, stored };
      // What counts in a limit may belong to authorizations that have expired.
      if (isLimit(plan.refusal) && !areHoldsReleased) throw new MoreStatementsNeeded();
      if (plan.refusal !== undefined) return plan.refusal;
      // A network that cannot be used does not change the answer to a repeated request.
      if (unavailable !== undefined) throw unavailable;
      return plan;
    },
    beforeDecidingAgain: async () => {
      await releaseExpiredHolds(app, order);
      areHoldsReleased = true;
    },
    moveWithNextStatement: (plan) => {
      if (plan.decided.asking !== undefined) throw new MoreStatementsNeeded();
      const { payment } = planned(plan);
      const isFromCache = decided?.stored === cached && cached !== undefined;
      const spending = { ...spendOf({ payment, plan }), budgetsExist: isFromCache };
      const { result: spent, send } = spendWithNextStatement(app, spending);
      return {
        result: sent(plan, settled(payment, spent, at)),
        send: async (tx) => {
          if (payment.execution !== "auto") {
            const { max } = QUOTAS.openAuthorizations;
            await requireAuthorizableWithNext(tx, { ...payment, at, max });
          }
          await send(tx);
          if (isFromCache) {
            await requireFactsWithNext(tx, { ...payment, payeeIsNew: plan.payeeIsNew, revision: cached.revision });
          } else await requireRevisionWithNext(tx, { ...payment, ...plan.decided });
        },
      };
    },
    move: async (tx, plan) => {
      const payment = await executePayment(tx, app, actor, planned(plan));
      if (payment instanceof AppError || typeof payment === "symbol") return payment;
      return sent(plan, payment);
    },
    rowOf,
    recordRefusal: async (tx) => {
      const row = decided?.plan.decided.row;
      if (row !== undefined) await policyDecisionRows.insert(tx, row);
    },
    recordOf: (result) =>
      result instanceof AppError ? refusalRecordOf(command, result, at) : paymentRecordOf(result.presented, at),
  });
  if (decided !== undefined) await forgetPaymentBalances(app, { ...order, ...decided.plan.terms });
  if (outcome?.payment.status === "queued") wakeSending(app);
  const isMade = !answer.isReplayed && outcome?.payment.transferId;
  if (isMade && outcome !== undefined && decided !== undefined) {
    cachePaymentFacts(query, decided.stored, outcome.payment.settledAt !== null);
  }
  return answer;
}

/** Returns true if the refusal depends on what was used before. */
function isLimit(refusal: AppError | undefined): boolean {
  return refusal?.decision !== undefined && "used" in refusal.decision;
}

/** Returns the payment before anything is moved. */
export function newPayment(
  { order, details }: SendPayment,
  { terms }: PaymentPlan,
  paymentId: PaymentId,
  at: Date,
): Payment {
  const { tenantId, mode, agentId, amount, payee } = order;
  return {
    ...details,
    ...{ tenantId, paymentId, mode, agentId },
    ...amount,
    ...terms,
    payee: { type: payee.type, value: payee.value },
    status: "approved",
    reservationId: null,
    transferId: null,
    capturedBaseUnits: null,
    paidBaseUnits: null,
    refundedBaseUnits: 0n,
    expiresAt: null,
    approvalId: null,
    onchain: null,
    failure: null,
    createdAt: at,
    settledAt: null,
    updatedAt: at,
  };
}

function rowOf({ payment, plan: { decided } }: SentPayment): PaymentRow {
  const { tenantId: _tenant, mode: _mode, payee, metadata, decision, failure: _, onchain: __, ...row } = payment;
  return {
    ...row,
    payeeText: JSON.stringify(payee),
    metadataText: JSON.stringify(metadata),
    verdictText: JSON.stringify(decision),
    isPaid: payment.paidBaseUnits !== null,
    decisionId: decided.row?.decisionId ?? null,
    decidedFacts: decided.row?.facts ?? null,
    outcome: decided.row?.outcome ?? null,
    policyId: decided.row?.policyId ?? null,
    policyVersion: decided.row?.policyVersion ?? null,
    ruleId: decided.row?.ruleId ?? null,
  };
}

/** A refused request makes no payment, so its event is about the agent, of which it changes nothing. */
function refusalRecordOf({ order }: SendPayment, { code, decision }: AppError, occurredAt: Date) {
  const { agentId, walletId = null, network = null, projectId = null, amount, payee } = order;
  const facts = {
    ...{ agent_id: agentId, wallet_id: walletId, network, project_id: projectId },
    amount: formatTokenAmount(amount),
    token: amount.asset.toUpperCase(),
    to: { type: payee.type, value: payee.value },
    code,
    decision: decision ?? null,
  };
  const subject = { type: "agent", id: agentId };
  return { action: "payment.denied" as const, subject, facts, occurredAt, sequence: null, data: facts };
}

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
  return typeof outcome === "symbol" ? outcome : settled(payment, outcome, app.clock.now());
}

/** Returns the error for an authorization if the wallet has too many open ones. */
async function authorizationRefusal(tx: Tx, { execution, walletId }: Payment, at: Date): Promise<AppError | undefined> {
  const { max } = QUOTAS.openAuthorizations;
  if (execution === "auto" || (await canAuthorize(tx, { walletId, at }, max))) return undefined;
  const detail = `The wallet has ${max.toLocaleString("en-US")} open authorizations. Capture or void some of them, or wait until they expire.`;
  return new AppError("conflict", { detail });
}

/** Returns what the payment spends. */
function spendOf({ payment, plan, exceedsCap = false }: PlannedPayment): Spend {
  const { tenantId, mode, paymentId, asset, baseUnits, execution, projectId } = payment;
  return {
    mode,
    cause: { type: "payment", id: paymentId },
    amount: { asset, baseUnits },
    kind: execution === "auto" ? settlerOf(mode).sends : "hold",
    debitAccountId: payment.debitAccountId,
    creditAccountId: payment.creditAccountId,
    project: projectId === null ? undefined : { tenantId, mode, projectId, agentIds: [], projectIds: [] },
    aboveCap: exceedsCap ? "exceed" : plan.capBehavior === "require_approval" ? "ask" : "block",
    decision: plan.decided,
  };
}

interface AskForPayment {
  readonly payment: Payment;
  readonly plan: PaymentPlan;
  readonly asking: Asking;
}

/**
 * Asks a person to approve the payment, and returns it in the status `requires_approval`. Nothing is reserved. Throws
 * `conflict` if the agent already waits for too many approvals.
 */
async function askForPayment(
  tx: Tx,
  app: App,
  actor: Actor,
  { payment, plan: { payeeIsNew }, asking: { rules, expiresInSeconds } }: AskForPayment,
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
