import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ApprovalRule, PaymentFailure } from "../../../db/schema.ts";
import { AppError } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { DECIDE_AGAIN } from "../../../idempotency/money/run-money-request.ts";
import { policyDecisionRows } from "../../decisions/queries.ts";
import type { Payment } from "../queries.ts";
import { type PaymentChange, settlePayment } from "../settle-payment.ts";
import { type PaymentOrder, type PaymentPlan, paymentQueryOf, planPayment } from "./plan-payment.ts";
import { sendStatements } from "./queries.ts";
import { executePayment } from "./send-payment.ts";

/** How often a payment is decided before the approval fails because policies change all the time. */
const DECISIONS_MAX = 3;

/** The rule of an approval to exceed the project's cap. It belongs to no policy. */
const PROJECT_CAP_RULE = "project_cap";

const AMBIGUOUS: PaymentFailure = {
  code: "conflict",
  detail: "The agent's projects or the payee's wallet changed before the payment was approved.",
};

interface WaitingPayment {
  readonly payment: Payment;
  /** The rules that a person has approved, in all approvals of the payment. */
  readonly approved: readonly ApprovalRule[];
}

/**
 * Makes a payment that a person has approved, in the transaction of the approval. The payment is decided anew, so it can
 * also wait for another approval, fail or be denied. It is canceled if the payee is no longer the one that the person saw,
 * or if the project is gone. The caller has locked the payment.
 */
export async function decideWaitingPayment(tx: Tx, app: App, actor: Actor, waiting: WaitingPayment): Promise<void> {
  for (let decisions = 0; decisions < DECISIONS_MAX; decisions += 1) {
    if (await decideOnce(tx, app, actor, waiting)) return;
  }
  throw new AppError("version_conflict", {
    detail: "The agent's policies changed while the payment was decided. Approve it again.",
  });
}

/** Returns false, and changes nothing, if policies have changed since they decided. */
async function decideOnce(tx: Tx, app: App, actor: Actor, { payment, approved }: WaitingPayment): Promise<boolean> {
  const at = app.clock.now();
  const plan = await planAgain(tx, payment, orderOf(payment, approved), at);
  if (!("decided" in plan)) {
    await settlePayment(tx, app, actor, payment, { to: "canceled", failure: plan, at });
    return true;
  }
  const exceedsCap = approved.some(({ policyId, ruleId }) => policyId === null && ruleId === PROJECT_CAP_RULE);
  // The payee's wallet and the accounts can be other ones than when the payment was requested.
  const planned = { payment: { ...payment, ...plan.terms, payeeAddress: payment.payeeAddress }, plan, exceedsCap };
  const outcome = plan.refusal ?? (await executePayment(tx, app, actor, planned));
  if (outcome === DECIDE_AGAIN) return false;
  if (plan.decided.row !== undefined) await policyDecisionRows.insert(tx, plan.decided.row);
  await settlePayment(tx, app, actor, payment, outcome instanceof AppError ? endOf(outcome, at) : storing(outcome));
  return true;
}

/** Names the wallet, the network and the project, so that the payment remains what the person saw. */
function orderOf(payment: Payment, approved: readonly ApprovalRule[]): PaymentOrder {
  const { tenantId, mode, agentId, walletId, network, asset, baseUnits, projectId } = payment;
  const { type, value } = payment.payee;
  invariant(type === "address" || type === "agent" || type === "wallet", "others cannot be paid");
  return {
    ...{ tenantId, mode, agentId, walletId, network, approved, payee: { type, value } },
    amount: { asset, baseUnits },
    projectId: projectId ?? undefined,
  };
}

/** Decides the payment anew. Returns why it cannot be made any more if it is no longer what the person saw. */
async function planAgain(
  tx: Tx,
  payment: Payment,
  order: PaymentOrder,
  at: Date,
): Promise<PaymentPlan | PaymentFailure> {
  const [row] = await sendStatements.readFacts(tx, paymentQueryOf(order, at));
  invariant(row !== undefined, "the query of the facts returns a row");
  let plan: PaymentPlan;
  try {
    plan = await planPayment(tx, row.facts, order, at);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "validation_error" ? AMBIGUOUS : failureOf(error);
  }
  if (plan.terms.payeeAddress.toLowerCase() !== payment.payeeAddress.toLowerCase()) {
    return {
      code: "conflict",
      detail: "The payee's address is no longer the one in the approval.",
    };
  }
  return plan;
}

/** Returns how a payment ends that is refused after its approval. */
function endOf(refusal: AppError, at: Date): PaymentChange {
  const isDenied = refusal.code === "policy_denied" || refusal.code === "kya_required";
  return { to: isDenied ? "denied" : "failed", failure: failureOf(refusal), at };
}

function failureOf({ code, message }: AppError): PaymentFailure {
  return { code, detail: message };
}

/** Returns the change that stores what was executed. */
function storing({ status, decision, updatedAt, ...decided }: Payment): PaymentChange {
  const { approvalId, reservationId, transferId, paidBaseUnits, expiresAt, settledAt } = decided;
  const { payeeWalletId, payeeAgentId, debitAccountId, creditAccountId, projectId } = decided;
  const values = {
    ...{ approvalId, reservationId, transferId, paidBaseUnits, expiresAt, settledAt },
    ...{ payeeWalletId, payeeAgentId, debitAccountId, creditAccountId, projectId },
    decision: JSON.stringify(decision),
  };
  return { to: status, values, at: updatedAt };
}
