import type { StoredObject } from "../kit/object-store.ts";
import { resourceMissing } from "./stripe-errors.ts";
import type { InMode, StripeCall } from "./stripe-route.ts";

export interface ChargeData extends InMode {
  readonly customer: string;
  /** The invoice that the charge paid, or tried to pay. */
  readonly invoice: string;
  readonly amount: number;
  readonly amountRefunded: number;
  readonly paymentMethod: string;
}

/** The state is `succeeded` or `failed`. */
export type StoredCharge = StoredObject<ChargeData>;

export async function requireCharge(call: StripeCall, id: string, status: 400 | 404): Promise<StoredCharge> {
  const found = await call.find<ChargeData>("charge", id);
  if (found === undefined) throw resourceMissing("charge", id, "charge", status);
  return found;
}

export function chargeObject({ id, state, createdAt, data }: StoredCharge) {
  const succeeded = state === "succeeded";
  return {
    id,
    object: "charge",
    amount: data.amount,
    amount_captured: succeeded ? data.amount : 0,
    amount_refunded: data.amountRefunded,
    billing_details: { address: null, email: null, name: null, phone: null },
    captured: succeeded,
    created: Math.floor(createdAt.getTime() / 1_000),
    currency: "usd",
    customer: data.customer,
    disputed: false,
    failure_code: succeeded ? null : "card_declined",
    failure_message: succeeded ? null : "Your card was declined.",
    livemode: data.livemode,
    metadata: {},
    paid: succeeded,
    payment_method: data.paymentMethod,
    refunded: data.amountRefunded === data.amount,
    status: state,
  };
}
