import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { settleReservation } from "../../budgets/settle-reservation.ts";
import type { Tx } from "../../db/database.ts";
import { invalidField } from "../../foundation/errors.ts";
import { invariant } from "../../foundation/invariant.ts";
import { formatTokenAmount, type TokenAmount, usdMicrosOfTokens } from "../../foundation/money/token-amount.ts";
import type { MoneyAnswer } from "../../idempotency/money/run-money-request.ts";
import { moveMoney } from "../../ledger/move-money.ts";
import {
  insertPaidPayee,
  type Payment,
  recordPaymentChange,
  requirePaymentLocked,
  updatePayment,
} from "../../modules/payments/index.ts";
import { moveRefused } from "./move-refusal.ts";
import { type PaymentRequest, runPaymentRequest } from "./payment-request.ts";
import { requireStatus } from "./require-status.ts";
import { throwIfBlocked } from "./throw-if-blocked.ts";

export interface CapturePayment extends PaymentRequest {
  /** Undefined: everything that is held. */
  readonly baseUnits: bigint | undefined;
}

/**
 * Pays the payee an amount that is held for an authorized payment, and releases the rest. Throws `payment_not_found` unless
 * the agent made the payment, `agent_suspended`, `wallet_frozen`, `conflict` unless the payment is authorized, and
 * `validation_error` for more than is held.
 */
export async function capturePayment(
  app: App,
  actor: Actor,
  { claim, paymentId, agentId, baseUnits }: CapturePayment,
): Promise<MoneyAnswer> {
  const { tenantId, mode } = actor;
  return runPaymentRequest(app, actor, claim, {
    refusedAs: "payment.capture_refused",
    find: (tx) => requirePaymentLocked(tx, { tenantId, mode, agentIds: [agentId] }, paymentId),
    change: (tx, payment) => capture(tx, app, actor, payment, baseUnits),
  });
}

async function capture(
  tx: Tx,
  app: App,
  actor: Actor,
  payment: Payment,
  baseUnits: bigint = payment.baseUnits,
): Promise<Payment> {
  const at = app.clock.now();
  await throwIfBlocked(tx, { ...payment, at });
  requireStatus(payment, ["authorized"], at);
  const { asset, reservationId } = payment;
  if (baseUnits > payment.baseUnits) {
    const held = formatTokenAmount(payment);
    throw invalidField("/body/amount", "maximum", `must be at most ${held}, which is held`);
  }
  const amount: TokenAmount = { asset, baseUnits };
  if (reservationId !== null) {
    const committedMicros = usdMicrosOfTokens(amount) ?? null;
    invariant(committedMicros !== null, "budgets count stablecoins of US dollars");
    const alerts = await settleReservation(tx, { reservationId, committedMicros, at });
    invariant(alerts?.length === 0, "what is captured is reserved");
  }
  const transferId = await postHold(tx, payment, { amount, at });
  const captured = await updatePayment(tx, payment, {
    ...{ status: "captured", paidBaseUnits: baseUnits, transferId },
    ...{ settledAt: at, updatedAt: at },
  });
  await insertPaidPayee(tx, captured);
  await recordPaymentChange(tx, app, actor, { payment: captured, at });
  return captured;
}

async function postHold(
  tx: Tx,
  { transferId: holdId, mode, paymentId }: Payment,
  { amount, at }: { readonly amount: TokenAmount; readonly at: Date },
) {
  invariant(holdId !== null, "an authorized payment has a hold");
  const moved = await moveMoney(tx, {
    ...({ kind: "post", ignoresFreeze: false } as const),
    ...{ mode, holdId, amount, at, cause: { type: "payment", id: paymentId } },
  });
  if (moved.outcome !== "done") throw moveRefused(moved, amount);
  return moved.transferId;
}
