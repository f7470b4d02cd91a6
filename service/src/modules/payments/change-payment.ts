import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import type { PaymentId } from "../../foundation/ids.ts";
import { formatTokenAmount } from "../../foundation/money.ts";
import { type MoneyAnswer, type MoneyClaim, runClaimedRequest } from "../../idempotency/money/run-money-request.ts";
import { requireActiveAgent } from "../agents/agents.ts";
import { cancelApprovalsOf } from "../approvals/approvals.ts";
import { wakeSending } from "../user-operations/schedule-sending.ts";
import { forgetBalances } from "../wallets/balances/cached-balances.ts";
import { releaseExpiredHolds } from "./end-waiting-payments.ts";
import { listAccountStates, type Payment, type PaymentScope, paymentRows } from "./queries.ts";
import { requirePaymentLocked } from "./read-payments.ts";
import { findProblemOfNetwork } from "./send/network-problem.ts";
import { canBecome, requireStatus, requireTransition, settlePayment, settlerOf } from "./settle-payment.ts";

/** A request that changes a payment. */
export interface PaymentRequest {
  readonly claim: MoneyClaim<Payment>;
  readonly paymentId: PaymentId;
  /** The agent that acts, in lowercase. Null if the developer acts, for any agent. */
  readonly agentId: string | null;
  /** What is captured or refunded. Undefined: everything that can be. */
  readonly baseUnits?: bigint | undefined;
}

/**
 * Pays the payee an amount that is held for an authorized payment, and releases the rest. Throws `payment_not_found` unless
 * the acting agent made the payment, `agent_suspended`, `wallet_frozen`, `conflict` unless the payment is authorized, and
 * `validation_error` for more than is held.
 */
export async function capturePayment(
  app: App,
  actor: Actor,
  { claim, paymentId, agentId, baseUnits }: PaymentRequest,
): Promise<MoneyAnswer> {
  const problem = await problemOfCapture(app, actor, paymentId);
  const answer = await runPaymentRequest(app, actor, claim, {
    refusedAs: "payment.capture_refused",
    find: (tx) => requirePaymentLocked(tx, actor, paymentId, (payment) => isAllowed(agentId, payment.agentId)),
    change: async (tx, payment, at) => {
      await throwIfBlocked(tx, payment, at);
      requireStatus(payment, ["authorized"], at);
      const amount = amountWithin(payment, payment.baseUnits, baseUnits, "held");
      if (problem !== undefined) throw problem;
      const { captured: to } = settlerOf(payment.mode);
      const values = to === "queued" ? { capturedBaseUnits: amount.baseUnits, expiresAt: null } : {};
      return settlePayment(tx, app, actor, payment, { to, amount, values, at });
    },
  });
  wakeSending(app);
  return answer;
}

/** Whether an agent, or the developer if it is null, may act for an agent. */
function isAllowed(actingAgentId: string | null, agentId: string): boolean {
  return actingAgentId === null || actingAgentId === agentId;
}

/** Returns why the network of a live payment cannot be used now, or undefined. */
async function problemOfCapture(app: App, { tenantId, mode }: Actor, paymentId: PaymentId) {
  if (mode === "test") return undefined;
  const payment = await paymentRows.find(app.db, { tenantId, paymentId });
  return payment && findProblemOfNetwork(app, tenantId, payment.network);
}

/**
 * Releases all that is held for an authorized payment, also if its wallet is frozen. Throws `payment_not_found` unless the
 * agent made the payment, and `conflict` unless the payment is authorized.
 */
export async function voidPayment(
  app: App,
  actor: Actor,
  { claim, paymentId, agentId }: PaymentRequest,
): Promise<MoneyAnswer> {
  return runPaymentRequest(app, actor, claim, {
    refusedAs: "payment.void_refused",
    find: (tx) => requirePaymentLocked(tx, actor, paymentId, (payment) => isAllowed(agentId, payment.agentId)),
    change: async (tx, payment, at) => {
      requireTransition(payment, "voided", at);
      return settlePayment(tx, app, actor, payment, { to: "voided", at });
    },
  });
}

export interface CancelPayment extends Pick<PaymentRequest, "claim" | "paymentId"> {
  /** The agents that made the payment. */
  readonly scope: PaymentScope;
}

/**
 * Ends a payment that waits for an approval or a capture, also if its wallet is frozen. Cancels its pending approval.
 * Throws `payment_not_found` unless an agent of the scope made it, and `conflict` if the payment does not wait.
 */
export async function cancelPayment(
  app: App,
  actor: Actor,
  { claim, scope, paymentId }: CancelPayment,
): Promise<MoneyAnswer> {
  return runPaymentRequest(app, actor, claim, {
    find: async (tx) => {
      await cancelApprovalsOf(tx, app, actor, { subject: { type: "payment", id: paymentId } });
      const { agentIds } = scope;
      return requirePaymentLocked(
        tx,
        scope,
        paymentId,
        ({ agentId }) => agentIds.length === 0 || agentIds.includes(agentId),
      );
    },
    change: async (tx, payment, at) => {
      requireTransition(payment, "canceled", at);
      return settlePayment(tx, app, actor, payment, { to: "canceled", at });
    },
  });
}

const REFUNDED_BY_PAYEE =
  "This agent made the payment and did not receive it. A refund is made by the payee's agent: name it in X-Agent-ID.";

/**
 * Moves an amount from the payee's wallet back to the payer's. The project's spending falls if the payment counts in the
 * current month. The limits of policies do not change. Throws `payment_not_found` unless the agent was paid,
 * `not_refundable` unless the payee is a wallet of the tenant and was paid, `agent_suspended`, `wallet_frozen`,
 * `insufficient_funds`, and `validation_error` for more than is left of the payment.
 */
export async function refundPayment(
  app: App,
  actor: Actor,
  { claim, paymentId, agentId, baseUnits, reason }: PaymentRequest & { readonly reason: string | null },
): Promise<MoneyAnswer> {
  await releaseExpiredHolds(app, actor);
  return runPaymentRequest(app, actor, claim, {
    refusedAs: "payment.refund_refused",
    // A payment to an external address has no payee's agent. Its payer learns that it cannot be refunded.
    find: (tx) =>
      requirePaymentLocked(tx, actor, paymentId, (payment) => {
        const isPayee = isAllowed(agentId, payment.payeeAgentId ?? payment.agentId);
        // The payer can read the payment, so it learns who can refund it.
        if (!isPayee && payment.agentId === agentId) {
          throw new AppError("payment_not_found", { detail: REFUNDED_BY_PAYEE });
        }
        return isPayee;
      }),
    change: async (tx, payment, at) => {
      if (payment.payeeAgentId === null) throw new AppError("not_refundable");
      const reverse = { debitAccountId: payment.creditAccountId, creditAccountId: payment.debitAccountId };
      await throwIfBlocked(tx, { ...payment, ...reverse, agentId: payment.payeeAgentId }, at);
      const left = refundableOf(payment);
      const amount = amountWithin(payment, left, baseUnits, "left");
      const to = amount.baseUnits === left ? "refunded" : "partially_refunded";
      const facts = { refund_amount: formatTokenAmount(amount), reason };
      return settlePayment(tx, app, actor, payment, { to, amount, facts, at });
    },
  });
}

interface PaymentWork {
  /** The name of the audit entry and of the event about a refusal. Undefined if a refusal has none. */
  readonly refusedAs?: `payment.${"capture" | "void" | "refund"}_refused`;
  /** Returns the payment and locks it. */
  find(tx: Tx): Promise<Payment>;
  change(tx: Tx, payment: Payment, at: Date): Promise<Payment>;
}

/**
 * Changes a payment in one transaction with the request's Idempotency-Key and signature. A refusal changes nothing. It is
 * stored as the response, with an audit entry and an event if the payment was found.
 */
async function runPaymentRequest(
  app: App,
  actor: Actor,
  claim: MoneyClaim<Payment>,
  { refusedAs, find, change }: PaymentWork,
): Promise<MoneyAnswer> {
  let found: Payment | undefined;
  const answer = await runClaimedRequest(
    app,
    claim,
    async (tx) => {
      found = undefined;
      found = await find(tx);
      return change(tx, found, app.clock.now());
    },
    async (tx, { code, message: detail }) => {
      if (found === undefined || refusedAs === undefined) return;
      const { paymentId, agentId, walletId, projectId } = found;
      const facts = { payment_id: paymentId, agent_id: agentId, wallet_id: walletId, project_id: projectId, code };
      const subject = { type: "payment", id: paymentId };
      // The payment does not change, so the event has no place in the sequence of its changes.
      const entry = { action: refusedAs, subject, facts, occurredAt: app.clock.now(), sequence: null };
      await recordEntryAndEvent(tx, actor, entry, () => ({ ...facts, detail }));
    },
  );
  if (found !== undefined) await forgetPaymentBalances(app, found);
  return answer;
}

/** Removes the cached balances of the wallets of a payment. Call it after the commit, before the response. */
export async function forgetPaymentBalances(
  app: Pick<App, "fastState" | "log">,
  { tenantId, walletId, payeeWalletId }: Pick<Payment, "tenantId" | "walletId" | "payeeWalletId">,
): Promise<void> {
  const walletIds = payeeWalletId === null ? [walletId] : [walletId, payeeWalletId];
  await forgetBalances(app, tenantId, walletIds);
}

/**
 * Throws `agent_suspended` if the agent that sends the money is not active, and `wallet_frozen` if a wallet is frozen. The
 * move in the ledger checks both again, under the lock of the accounts. This check comes first, because it takes precedence
 * over the payment's status, and an agent is expired before its accounts are stopped.
 */
async function throwIfBlocked(
  tx: Tx,
  {
    debitAccountId,
    creditAccountId,
    ...agent
  }: Pick<Payment, "tenantId" | "mode" | "agentId" | "debitAccountId" | "creditAccountId">,
  at: Date,
): Promise<void> {
  await requireActiveAgent(tx, agent, at);
  const accountIds = [debitAccountId, creditAccountId];
  const accounts = await listAccountStates(tx, { tenantId: agent.tenantId, accountIds });
  for (const { accountId, frozen, stopped } of accounts) {
    const isDebit = accountId === debitAccountId;
    if (isDebit && stopped) throw new AppError("agent_suspended");
    if (frozen === "full" || (isDebit && frozen !== null)) throw new AppError("wallet_frozen");
  }
}

/** Returns what was paid and is not refunded. Throws `not_refundable` if the payee was not paid, or all is refunded. */
function refundableOf({ mode, status, paidBaseUnits, refundedBaseUnits }: Payment): bigint {
  if (!settlerOf(mode).creditsPayee) {
    const detail = "Payments on a network cannot be refunded. Send a payment back from the payee's wallet.";
    throw new AppError("not_refundable", { detail });
  }
  if (canBecome(status, "refunded") && paidBaseUnits !== null) return paidBaseUnits - refundedBaseUnits;
  const detail = `The payment is ${status}. It must be paid, and not refunded as a whole.`;
  throw new AppError("not_refundable", { detail });
}

/** Returns the amount that is asked for, by default all. Throws `validation_error` for more than that. */
function amountWithin({ asset }: Payment, max: bigint, wanted: bigint = max, what: "held" | "left") {
  if (wanted <= max) return { asset, baseUnits: wanted };
  const most = formatTokenAmount({ asset, baseUnits: max });
  throw invalidField("/body/amount", "maximum", `must be at most ${most}, which is ${what}`);
}
