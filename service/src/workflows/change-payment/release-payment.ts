import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { settleReservation } from "../../budgets/settle-reservation.ts";
import type { Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { PaymentStatus } from "../../foundation/vocabulary.ts";
import { moveMoney } from "../../ledger/move-money.ts";
import { type Payment, recordPaymentChange, updatePayment } from "../../modules/payments/index.ts";

export interface PaymentEnd {
  readonly status: Extract<PaymentStatus, "voided" | "canceled" | "expired" | "denied" | "failed">;
  /** Why it ended. Null if its agent or the developer ended it. */
  readonly failure: PaymentFailure | null;
  readonly at: Date;
}

/**
 * Ends a payment that waits for an approval or a capture. Releases all that is held and reserved for it. A freeze does not
 * prevent this. The caller has locked the payment, and has canceled its pending approvals before.
 */
export async function releasePayment(
  tx: Tx,
  app: Pick<App, "settings" | "signer">,
  actor: Actor,
  payment: Payment,
  { status, failure, at }: PaymentEnd,
): Promise<Payment> {
  if (payment.status === "authorized") await releaseHold(tx, payment, at);
  const released = await updatePayment(tx, payment, {
    ...{ status, failure: failure && JSON.stringify(failure), updatedAt: at },
  });
  await recordPaymentChange(tx, app, actor, { payment: released, at });
  return released;
}

async function releaseHold(
  tx: Tx,
  { reservationId, transferId: holdId, mode, paymentId }: Payment,
  at: Date,
): Promise<void> {
  if (reservationId !== null) {
    const alerts = await settleReservation(tx, { reservationId, committedMicros: null, at });
    invariant(alerts !== undefined, "the reservation of an authorized payment is held");
  }
  invariant(holdId !== null, "an authorized payment has a hold");
  const cause = { type: "payment", id: paymentId };
  const { outcome } = await moveMoney(tx, { kind: "void", mode, holdId, at, cause });
  invariant(outcome === "done", `the hold of an authorized payment is open: ${outcome}`);
}
