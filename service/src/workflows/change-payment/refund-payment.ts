import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { refundReservation } from "../../budgets/settle-reservation.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { invariant } from "../../foundation/invariant.ts";
import { formatTokenAmount, type TokenAmount, usdMicrosOfTokens } from "../../foundation/money/token-amount.ts";
import type { PaymentStatus } from "../../foundation/vocabulary.ts";
import type { MoneyAnswer } from "../../idempotency/money/run-money-request.ts";
import { moveMoney } from "../../ledger/move-money.ts";
import {
  type Payment,
  recordPaymentChange,
  requirePaymentLockedIf,
  updatePayment,
} from "../../modules/payments/index.ts";
import { projectCap } from "../../modules/projects/index.ts";
import { releaseExpiredHolds } from "./expire-payments.ts";
import { moveRefused } from "./move-refusal.ts";
import { type PaymentRequest, runPaymentRequest } from "./payment-request.ts";
import { throwIfBlocked } from "./throw-if-blocked.ts";

export interface RefundPayment extends PaymentRequest {
  /** Undefined: everything that is not refunded yet. */
  readonly baseUnits: bigint | undefined;
  readonly reason: string | null;
}

const REFUNDABLE: readonly PaymentStatus[] = ["confirmed", "captured", "partially_refunded"];

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
  { claim, paymentId, agentId, ...refund }: RefundPayment,
): Promise<MoneyAnswer> {
  await releaseExpiredHolds(app, actor);
  return runPaymentRequest(app, actor, claim, {
    refusedAs: "payment.refund_refused",
    // A payment to an external address has no payee's agent. Its payer learns that it cannot be refunded.
    find: (tx) =>
      requirePaymentLockedIf(tx, actor, paymentId, (payment) => {
        const isPayee = (payment.payeeAgentId ?? payment.agentId) === agentId;
        // The payer can read the payment, so it learns who can refund it.
        if (!isPayee && payment.agentId === agentId) {
          throw new AppError("payment_not_found", { detail: REFUNDED_BY_PAYEE });
        }
        return isPayee;
      }),
    change: (tx, payment) => refundLocked(tx, app, actor, payment, refund),
  });
}

async function refundLocked(
  tx: Tx,
  app: App,
  actor: Actor,
  payment: Payment,
  { baseUnits: wanted, reason }: Pick<RefundPayment, "baseUnits" | "reason">,
): Promise<Payment> {
  const at = app.clock.now();
  const { asset, payeeAgentId } = payment;
  if (payeeAgentId === null) throw new AppError("not_refundable");
  const move = {
    debitAccountId: payment.creditAccountId,
    creditAccountId: payment.debitAccountId,
  };
  await throwIfBlocked(tx, { ...payment, ...move, agentId: payeeAgentId, at });
  const left = amountLeft(payment);
  const baseUnits = wanted ?? left;
  if (baseUnits > left) {
    const most = formatTokenAmount({ asset, baseUnits: left });
    throw invalidField("/body/amount", "maximum", `must be at most ${most}, which is left`);
  }
  const amount = { asset, baseUnits };
  await lowerSpending(tx, payment, { amount, at });
  const moved = await moveMoney(tx, {
    ...({ kind: "direct", ignoresFreeze: false, mode: payment.mode } as const),
    ...{ ...move, amount, at, cause: { type: "refund", id: payment.paymentId } },
  });
  if (moved.outcome !== "done") throw moveRefused(moved, amount);
  const refunded = await updatePayment(tx, payment, {
    status: baseUnits === left ? "refunded" : "partially_refunded",
    refundedBaseUnits: payment.refundedBaseUnits + baseUnits,
    updatedAt: at,
  });
  const facts = { refund_amount: formatTokenAmount(amount), reason };
  await recordPaymentChange(tx, app, actor, { payment: refunded, at, facts });
  return refunded;
}

/** Returns what was paid and is not refunded. Throws `not_refundable` if the payee was not paid, or all is refunded. */
function amountLeft({ status, paidBaseUnits, refundedBaseUnits }: Payment): bigint {
  if (!REFUNDABLE.includes(status) || paidBaseUnits === null) {
    const detail = `The payment is ${status}. It must be paid, and not refunded as a whole.`;
    throw new AppError("not_refundable", { detail });
  }
  return paidBaseUnits - refundedBaseUnits;
}

/** Lowers what the payment counts in the cap of its project. Rolling windows are never given back. */
async function lowerSpending(
  tx: Tx,
  { reservationId, projectId }: Payment,
  { amount, at }: { readonly amount: TokenAmount; readonly at: Date },
): Promise<void> {
  if (reservationId === null || projectId === null) return;
  const amountMicros = usdMicrosOfTokens(amount);
  invariant(amountMicros !== undefined, "budgets count stablecoins of US dollars");
  const budget = projectCap({ projectId });
  await refundReservation(tx, { reservationId, budget, amountMicros, at });
}
