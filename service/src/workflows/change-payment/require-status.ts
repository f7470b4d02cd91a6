import { AppError } from "../../foundation/errors.ts";
import { type PaymentStatus, WAITING_PAYMENT_STATUSES } from "../../foundation/vocabulary.ts";
import { type Payment, statusAt } from "../../modules/payments/index.ts";

/** Throws `conflict` unless the payment has one of these statuses at this time. */
export function requireStatus(
  payment: Pick<Payment, "status" | "expiresAt">,
  statuses: readonly PaymentStatus[],
  at: Date,
): void {
  const status = statusAt(payment, at);
  if (statuses.includes(status)) return;
  const detail = `The payment is ${status}. It must be ${statuses.join(" or ")}.`;
  throw new AppError("conflict", { detail });
}

/** Returns true if the payment waits for an approval or a capture at this time. */
export function isWaitingAt(payment: Pick<Payment, "status" | "expiresAt">, at: Date): boolean {
  return WAITING_PAYMENT_STATUSES.includes(statusAt(payment, at));
}
