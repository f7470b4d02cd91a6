import type Stripe from "stripe";
import type { StoredObject } from "../kit/object-store.ts";
import { resourceMissing } from "./stripe-errors.ts";
import type { InMode, StripeCall } from "./stripe-route.ts";

export interface CustomerData extends InMode {
  readonly name: string | null;
  readonly email: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly defaultPaymentMethod: string | null;
  /** What the customer owes in cents beside invoices. A negative amount is a credit. Default: 0. */
  readonly balance?: number;
}

/** Returns the customer. Throws `resource_missing` if it is deleted or does not exist in this mode. */
export async function requireCustomer(
  call: StripeCall,
  id: string,
  status: 400 | 404,
): Promise<StoredObject<CustomerData>> {
  const found = await call.find<CustomerData>("customer", id);
  if (found === undefined || found.state === "deleted") {
    throw resourceMissing("customer", id, status === 404 ? "id" : "customer", status);
  }
  return found;
}

export function deletedCustomer(id: string) {
  return { id, object: "customer", deleted: true } satisfies Stripe.DeletedCustomer;
}

export function customerObject({ id, createdAt, data }: StoredObject<CustomerData>) {
  return {
    id,
    object: "customer",
    address: null,
    balance: data.balance ?? 0,
    created: Math.floor(createdAt.getTime() / 1000),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: data.description,
    discount: null,
    email: data.email,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: data.defaultPaymentMethod,
      footer: null,
      rendering_options: null,
    },
    livemode: data.livemode,
    metadata: { ...data.metadata },
    name: data.name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  } satisfies Stripe.Customer;
}
