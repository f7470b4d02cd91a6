import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { MoreStatementsNeeded } from "../../db/errors.ts";
import type { PaymentPayee } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, type PaymentId } from "../../foundation/ids.ts";
import { formatTokenAmount } from "../../foundation/money/token-amount.ts";
import type { PaymentExecution } from "../../foundation/vocabulary.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import { type MoneyAnswer, type MoneyClaim, runMoneyRequest } from "../../idempotency/money/run-money-request.ts";
import {
  forgetPaymentBalances,
  type Payment,
  type PresentedPayment,
  paymentRecordOf,
  presentPayment,
  releaseExpiredHolds,
  requireSettler,
  settledByLedger,
  spendWithNextStatement,
} from "../../modules/payments/index.ts";
import { requireRevisionWithNext } from "../../modules/policies/index.ts";
import { insertDecision } from "../decisions/queries.ts";
import { executePayment, spendOf } from "./execute-payment.ts";
import { keepPaymentFacts, keptPaymentFacts } from "./kept-payment-facts.ts";
import { type PaymentOrder, type PaymentPlan, paymentQueryOf, planPayment } from "./plan-payment.ts";
import {
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
 * `planPayment` and of `spend`, and in live mode `network_unavailable`.
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
  const kept = keptPaymentFacts(query);
  let areHoldsReleased = false;
  let decided: { readonly plan: PaymentPlan; readonly stored: StoredPaymentFacts } | undefined;
  const answer = await runMoneyRequest(app, actor, claim, {
    statements: sendStatements,
    query,
    keptFacts: () => kept,
    decide: async (stored, db) => {
      const plan = await planPayment(db, stored.facts, order, at);
      decided = { plan, stored };
      // What counts in a limit may belong to authorizations that have expired.
      if (isLimit(plan.refusal) && !areHoldsReleased) throw new MoreStatementsNeeded();
      if (plan.refusal !== undefined) return plan.refusal;
      requireSettler(order.mode);
      return plan;
    },
    beforeDecidingAgain: async () => {
      await releaseExpiredHolds(app, order);
      areHoldsReleased = true;
    },
    moveWithNextStatement: (plan) => {
      if (plan.decided.asking !== undefined) throw new MoreStatementsNeeded();
      const { payment } = planned(plan);
      const isKept = decided?.stored === kept && kept !== undefined;
      const spending = { ...spendOf({ payment, plan }), budgetsExist: isKept };
      const { result: spent, send } = spendWithNextStatement(app, spending);
      return {
        result: sent(plan, settledByLedger(payment, spent, at)),
        send: async (tx) => {
          if (payment.execution !== "auto") {
            const { max } = QUOTAS.openAuthorizations;
            await requireAuthorizableWithNext(tx, { ...plan, at, max });
          }
          await send(tx);
          if (isKept) {
            await requireFactsWithNext(tx, { ...payment, ...plan, revision: kept.revision });
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
      if (row !== undefined) await insertDecision(tx, row);
    },
    recordOf: (result) =>
      result instanceof AppError ? refusalRecordOf(command, result, at) : paymentRecordOf(result.presented, at),
  });
  if (decided !== undefined) await forgetPaymentBalances(app, { ...order, ...decided.plan });
  const isMade = !answer.isReplayed && outcome?.payment.transferId;
  if (isMade && outcome !== undefined && decided !== undefined) {
    keepPaymentFacts(query, decided.stored, outcome.payment.settledAt !== null);
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
  { walletId, network, project, decided, ...plan }: PaymentPlan,
  paymentId: PaymentId,
  at: Date,
): Payment {
  const { tenantId, mode, agentId, amount, payee } = order;
  const payeeSent: PaymentPayee = { type: payee.type, value: payee.value };
  return {
    ...details,
    ...{ tenantId, paymentId, mode, agentId, walletId, network },
    ...amount,
    payee: payeeSent,
    payeeAddress: plan.payeeAddress,
    payeeWalletId: plan.payeeWalletId,
    payeeAgentId: plan.payeeAgentId,
    debitAccountId: plan.debitAccountId,
    creditAccountId: plan.creditAccountId,
    projectId: project?.projectId ?? null,
    status: "approved",
    decision: verdictOf(decided),
    reservationId: null,
    transferId: null,
    paidBaseUnits: null,
    refundedBaseUnits: 0n,
    expiresAt: null,
    approvalId: null,
    failure: null,
    createdAt: at,
    settledAt: null,
    updatedAt: at,
  };
}

/** Returns what the policies decided, as it is stored with the payment. */
export function verdictOf({ row, kyaLevel }: PaymentPlan["decided"]): Payment["decision"] {
  return {
    outcome: row?.outcome ?? "allow",
    policyId: row?.policyId ?? null,
    policyVersion: row?.policyVersion ?? null,
    ruleId: row?.ruleId ?? null,
    kyaLevel,
  };
}

function rowOf({ payment, plan: { decided } }: SentPayment): PaymentRow {
  const { tenantId: _tenant, mode: _mode, payee, metadata, decision, failure: _, ...row } = payment;
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
  return { action: "payment.denied", subject, facts, occurredAt, sequence: null, data: facts };
}
