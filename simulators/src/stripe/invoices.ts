import type { ObjectStore, StoredObject } from "../kit/object-store.ts";
import { resourceMissing } from "./stripe-errors.ts";
import type { InMode, StripeCall } from "./stripe-route.ts";

export interface InvoiceData extends InMode {
  readonly customer: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly autoAdvance: boolean;
  /** The customer's balance that was added to the amount due. Default: 0. */
  readonly startingBalance?: number;
  readonly attemptCount: number;
  readonly finalizedAt: number | null;
  readonly paidAt: number | null;
  readonly voidedAt: number | null;
}

export interface ItemData extends InMode {
  readonly customer: string;
  readonly invoice: string;
  readonly amount: number;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The state is `draft`, `open`, `paid` or `void`. */
export type StoredInvoice = StoredObject<InvoiceData>;
export type StoredItem = StoredObject<ItemData>;

export async function requireInvoice(call: StripeCall, id: string): Promise<StoredInvoice> {
  const found = await call.find<InvoiceData>("invoice", id);
  if (found === undefined) throw resourceMissing("invoice", id, "invoice", 404);
  return found;
}

/** Returns the invoice's items, oldest first. */
export async function itemsOf(objects: Pick<ObjectStore, "list">, invoiceId: string): Promise<StoredItem[]> {
  const items = await objects.list<ItemData>("invoiceitem");
  return items.filter(({ data }) => data.invoice === invoiceId);
}

export function totalOf(items: readonly StoredItem[]): number {
  return items.reduce((sum, { data }) => sum + data.amount, 0);
}

/** The smallest amount in cents that Stripe charges. */
const CHARGE_MIN = 50;

/** Returns what the customer has to pay. The rest of the amount stays in the customer's balance. */
export function dueOf(amount: number): number {
  return amount < CHARGE_MIN ? 0 : amount;
}

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1_000);

/**
 * The fields that the API version has and that a client can use. Stripe's API description of 2023 requires other fields
 * too, which `outdated-fields.ts` lists.
 */
export function invoiceObject({ id, state, createdAt, data }: StoredInvoice, items: StoredItem[]) {
  const total = totalOf(items);
  const created = secondsOf(createdAt);
  const startingBalance = data.startingBalance ?? 0;
  const due = dueOf(total + startingBalance);
  const amountPaid = state === "paid" ? due : 0;
  return {
    id,
    object: "invoice",
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: amountPaid,
    amount_remaining: due - amountPaid,
    amount_shipping: 0,
    attempt_count: data.attemptCount,
    attempted: data.attemptCount > 0,
    auto_advance: data.autoAdvance,
    automatic_tax: { enabled: false, liability: null, status: null },
    billing_reason: "manual",
    collection_method: "charge_automatically",
    created,
    currency: "usd",
    customer: data.customer,
    default_tax_rates: [],
    description: data.description,
    discounts: [],
    hosted_invoice_url: null,
    lines: {
      object: "list",
      url: `/v1/invoices/${id}/lines`,
      data: items.slice(0, 10).map(lineObject),
      has_more: items.length > 10,
    },
    livemode: data.livemode,
    metadata: { ...data.metadata },
    next_payment_attempt: null,
    number: data.finalizedAt === null ? null : `SANDBOX-${id.slice(-4)}`,
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: created,
    period_start: created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: startingBalance,
    status: state,
    status_transitions: {
      finalized_at: data.finalizedAt,
      marked_uncollectible_at: null,
      paid_at: data.paidAt,
      voided_at: data.voidedAt,
    },
    subtotal: total,
    total,
  };
}

export function lineObject({ id, createdAt, data }: StoredItem) {
  const created = secondsOf(createdAt);
  return {
    id: id.replace("ii_", "il_"),
    object: "line_item",
    amount: data.amount,
    currency: "usd",
    description: data.description,
    discountable: true,
    discounts: [],
    invoice: data.invoice,
    livemode: data.livemode,
    metadata: { ...data.metadata },
    parent: {
      type: "invoice_item_details",
      invoice_item_details: { invoice_item: id, proration: false },
    },
    period: { start: created, end: created },
    quantity: 1,
  };
}

export function itemObject({ id, createdAt, data }: StoredItem) {
  const created = secondsOf(createdAt);
  return {
    id,
    object: "invoiceitem",
    amount: data.amount,
    currency: "usd",
    customer: data.customer,
    date: created,
    description: data.description,
    discountable: true,
    discounts: [],
    invoice: data.invoice,
    livemode: data.livemode,
    metadata: { ...data.metadata },
    period: { start: created, end: created },
    proration: false,
    quantity: 1,
    tax_rates: [],
  };
}
