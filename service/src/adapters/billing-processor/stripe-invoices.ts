import type Stripe from "stripe";
import { type Static, Type } from "typebox";
import { Nullable } from "../../foundation/wire/fields.ts";
import type { BillingProcessor, ProcessorCharge, ProcessorInvoice } from "../../ports/billing-processor.ts";
import { VendorId } from "../http-client/vendor-client.ts";
import type { CallStripe } from "./call-stripe.ts";

const cents = Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 });

const PAGE_MAX = 100;
const PAGES_MAX = 100;
/** The member of `metadata` with Purser's own id. */
const REFERENCE = "purser_id";

const metadata = Type.Record(Type.String(), Type.String());

const invoiceResponse = Type.Object({
  id: VendorId,
  object: Type.Literal("invoice"),
  customer: VendorId,
  status: Type.Enum(["draft", "open", "paid", "void", "uncollectible"]),
  attempted: Type.Boolean(),
  total: cents,
  metadata: Nullable(metadata),
});

const invoiceListResponse = Type.Object({ data: Type.Array(invoiceResponse) });

const itemResponse = Type.Object({
  id: VendorId,
  object: Type.Literal("invoiceitem"),
  invoice: VendorId,
  amount: cents,
  metadata: Nullable(metadata),
});

const linesResponse = Type.Object({
  data: Type.Array(Type.Object({ id: VendorId, metadata: Nullable(metadata) })),
  has_more: Type.Boolean(),
});

const chargeResponse = Type.Object({
  id: VendorId,
  object: Type.Literal("charge"),
  customer: Nullable(VendorId),
  amount_refunded: cents,
});

type InvoiceCalls = Pick<
  BillingProcessor,
  "createInvoice" | "findInvoice" | "readInvoice" | "finalizeInvoice" | "payInvoice"
>;

/** The calls about invoices. The jobs that make them repeat them, not this adapter. */
export function invoiceCalls(callStripe: CallStripe): InvoiceCalls {
  const callInvoice = callerOf(callStripe);
  return {
    createInvoice: async ({ customerId, reference, description, idempotencyKey }) => {
      const draft: Stripe.InvoiceCreateParams = {
        customer: customerId,
        currency: "usd",
        collection_method: "charge_automatically",
        // A draft must not be finalized before it has all items.
        auto_advance: false,
        pending_invoice_items_behavior: "exclude",
        description,
        metadata: { [REFERENCE]: reference },
      };
      const invoice = await callStripe({
        operation: "PostInvoices",
        idempotencyKey,
        send: (stripe, options) => stripe.invoices.create(draft, options),
        schema: invoiceResponse,
        isRequestedObject: (response) => response.customer === customerId && referenceOf(response) === reference,
      });
      return presentInvoice(invoice);
    },
    findInvoice: async ({ customerId, reference }) => {
      const { data } = await callStripe({
        operation: "GetInvoices",
        reads: true,
        send: (stripe, options) => stripe.invoices.list({ customer: customerId, limit: PAGE_MAX }, options),
        schema: invoiceListResponse,
        isRequestedObject: (response) => response.data.every(({ customer }) => customer === customerId),
      });
      const found = data.find((invoice) => referenceOf(invoice) === reference);
      return found && presentInvoice(found);
    },
    readInvoice: (invoiceId) =>
      callInvoice(
        {
          operation: "GetInvoicesInvoice",
          reads: true,
          send: (stripe, options) => stripe.invoices.retrieve(invoiceId, {}, options),
        },
        invoiceId,
      ),
    finalizeInvoice: ({ invoiceId, idempotencyKey }) =>
      callInvoice(
        {
          operation: "PostInvoicesInvoiceFinalize",
          idempotencyKey,
          // From now on, Stripe tries to charge the customer, also after a decline.
          send: (stripe, options) => stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: true }, options),
        },
        invoiceId,
      ),
    payInvoice: ({ invoiceId, idempotencyKey }) =>
      callInvoice(
        {
          operation: "PostInvoicesInvoicePay",
          idempotencyKey,
          send: (stripe, options) => stripe.invoices.pay(invoiceId, { off_session: true }, options),
        },
        invoiceId,
      ),
  };
}

/** Returns a function that calls an operation which returns the invoice with this id. */
function callerOf(callStripe: CallStripe) {
  return async (
    call: Pick<Parameters<CallStripe>[0], "operation" | "send" | "reads" | "idempotencyKey">,
    invoiceId: string,
  ): Promise<ProcessorInvoice> => {
    const invoice = await callStripe({
      ...call,
      schema: invoiceResponse,
      isRequestedObject: (response) => response.id === invoiceId,
    });
    return presentInvoice(invoice);
  };
}

export function itemCalls(
  callStripe: CallStripe,
): Pick<BillingProcessor, "addInvoiceItem" | "listInvoiceReferences" | "readCharge" | "listCharges"> {
  return {
    addInvoiceItem: async (item) => {
      const { customerId, invoiceId, reference, amountCents, description, idempotencyKey } = item;
      const params: Stripe.InvoiceItemCreateParams = {
        customer: customerId,
        invoice: invoiceId,
        amount: Number(amountCents),
        currency: "usd",
        description,
        metadata: { [REFERENCE]: reference },
      };
      await callStripe({
        operation: "PostInvoiceitems",
        idempotencyKey,
        send: (stripe, options) => stripe.invoiceItems.create(params, options),
        schema: itemResponse,
        isRequestedObject: (response) =>
          response.invoice === invoiceId &&
          BigInt(response.amount) === amountCents &&
          referenceOf(response) === reference,
      });
    },
    listInvoiceReferences: async (invoiceId) => {
      const references = new Set<string>();
      let after: Stripe.InvoiceListLineItemsParams = {};
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const params = { ...after, limit: PAGE_MAX };
        const { data, has_more: hasMore } = await callStripe({
          operation: "GetInvoicesInvoiceLines",
          reads: true,
          send: (stripe, options) => stripe.invoices.listLineItems(invoiceId, params, options),
          schema: linesResponse,
          isRequestedObject: () => true,
        });
        for (const line of data) references.add(referenceOf(line) ?? "");
        const last = data.at(-1);
        if (!hasMore || last === undefined) break;
        after = { starting_after: last.id };
      }
      return references;
    },
    readCharge: async (chargeId) => {
      const charge = await callStripe({
        operation: "GetChargesCharge",
        reads: true,
        send: (stripe, options) => stripe.charges.retrieve(chargeId, {}, options),
        schema: chargeResponse,
        isRequestedObject: (response) => response.id === chargeId,
      });
      return presentCharge(charge);
    },
    listCharges: async (customerId) => {
      const { data } = await callStripe({
        operation: "GetCharges",
        reads: true,
        send: (stripe, options) => stripe.charges.list({ customer: customerId, limit: PAGE_MAX }, options),
        schema: Type.Object({ data: Type.Array(chargeResponse) }),
        isRequestedObject: (response) => response.data.every(({ customer }) => customer === customerId),
      });
      return data.map(presentCharge);
    },
  };
}

function referenceOf({ metadata: members }: { readonly metadata: Static<typeof metadata> | null }): string | null {
  return members?.[REFERENCE] ?? null;
}

function presentCharge(charge: Static<typeof chargeResponse>): ProcessorCharge {
  const { id: chargeId, customer: customerId, amount_refunded: refunded } = charge;
  return { chargeId, customerId, refundedCents: BigInt(refunded) };
}

function presentInvoice(invoice: Static<typeof invoiceResponse>): ProcessorInvoice {
  const { id: invoiceId, customer: customerId, status, attempted, total } = invoice;
  const totalCents = BigInt(total);
  return { invoiceId, customerId, status, attempted, totalCents, reference: referenceOf(invoice) };
}
