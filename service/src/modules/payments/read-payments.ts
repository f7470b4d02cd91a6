import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { PaymentId } from "../../foundation/ids.ts";
import { findPayment, type Payment, type PaymentScope, paymentRows } from "./queries.ts";

/** Returns a payment in scope. Throws `payment_not_found`. */
export async function getPayment({ db }: Pick<App, "db">, scope: PaymentScope, paymentId: PaymentId): Promise<Payment> {
  return (await findPayment(db, scope, paymentId)) ?? paymentNotFound(paymentId);
}

/** Returns the payment and locks it. Throws `payment_not_found` if the function does not return true for it. */
export async function requirePaymentLocked(
  tx: Tx,
  { tenantId, mode }: Pick<PaymentScope, "tenantId" | "mode">,
  paymentId: PaymentId,
  isFound: (payment: Payment) => boolean,
): Promise<Payment> {
  const payment = await paymentRows.lock(tx, { tenantId, paymentId });
  return payment?.mode === mode && isFound(payment) ? payment : paymentNotFound(paymentId);
}

function paymentNotFound(paymentId: PaymentId): never {
  throw new AppError("payment_not_found", {
    internal: `payment ${paymentId} does not exist in this mode, or the key cannot read it`,
  });
}
