import type { ChargeData } from "./charges.ts";
import { itemsOf, type StoredInvoice, totalOf } from "./invoices.ts";
import { requireMethod } from "./payment-methods.ts";
import { StripeApiError } from "./stripe-errors.ts";
import type { StripeCall } from "./stripe-route.ts";

/**
 * Charges the customer's default payment method for an open invoice. Throws StripeApiError if there is none or if the
 * charge is declined; the invoice then stays open.
 */
export async function payInvoice(
  call: StripeCall,
  { id, data }: StoredInvoice,
  methodId: string | null,
): Promise<void> {
  if (methodId === null) {
    throw new StripeApiError(400, {
      code: "resource_missing",
      message: "This customer has no default payment method.",
    });
  }
  const method = await requireMethod(call, methodId, "payment_method", 400);
  const attempted = { ...data, attemptCount: data.attemptCount + 1 };
  const isDeclined = method.data.declinedWhenCharged === true;
  // Only one of two calls at the same time pays.
  if (!isDeclined && !(await call.objects.claim("invoice", id, "open", "paid"))) return;
  const paidAt = isDeclined ? null : Math.floor(call.now.getTime() / 1_000);
  await call.objects.update("invoice", id, { data: { ...attempted, paidAt } });
  const charge: ChargeData = {
    livemode: call.livemode,
    customer: data.customer,
    invoice: id,
    amount: totalOf(await itemsOf(call.objects, id)) + (data.startingBalance ?? 0),
    amountRefunded: 0,
    paymentMethod: methodId,
  };
  const state = isDeclined ? "failed" : "succeeded";
  await call.objects.insert({ type: "charge", id: call.newId("ch_1", 23), state, data: charge });
  await call.emit(isDeclined ? "invoice.payment_failed" : "invoice.paid", id);
  if (isDeclined) {
    throw new StripeApiError(402, {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      message: "Your card was declined.",
    });
  }
}
