import { type Static, Type } from "typebox";
import { type CustomerData, requireCustomer } from "./customers.ts";
import {
  dueOf,
  type InvoiceData,
  type ItemData,
  invoiceObject,
  itemObject,
  itemsOf,
  lineObject,
  requireInvoice,
  type StoredInvoice,
  type StoredItem,
  totalOf,
} from "./invoices.ts";
import { listPage, pageQuery } from "./list.ts";
import { payInvoice } from "./pay-invoice.ts";
import { StripeApiError } from "./stripe-errors.ts";
import { metadataParam, type StripeCall, stripeRoute } from "./stripe-route.ts";

const Id = Type.String({ maxLength: 5_000 });
const closed = { additionalProperties: false };

const createInvoiceBody = Type.Object(
  {
    customer: Id,
    currency: Type.Optional(Type.Enum(["usd"])),
    collection_method: Type.Optional(Type.Enum(["charge_automatically"])),
    auto_advance: Type.Optional(Type.Boolean()),
    // The simulator has no items without an invoice.
    pending_invoice_items_behavior: Type.Enum(["exclude"]),
    description: Type.Optional(Id),
    metadata: Type.Optional(metadataParam),
  },
  closed,
);

const createInvoice = stripeRoute({
  operation: "PostInvoices",
  method: "POST",
  url: "/v1/invoices",
  body: createInvoiceBody,
  handle: async (call) => {
    const { customer, description = null, metadata = {}, auto_advance = false } = call.body;
    await requireCustomer(call, customer, 400);
    const id = call.newId("in_1", 23);
    const data: InvoiceData = {
      livemode: call.livemode,
      ...{ customer, description, metadata, autoAdvance: auto_advance },
      ...{ attemptCount: 0, finalizedAt: null, paidAt: null, voidedAt: null },
    };
    await call.objects.insert({ type: "invoice", id, state: "draft", data });
    return respondWith(call, id);
  },
});

const createItem = stripeRoute({
  operation: "PostInvoiceitems",
  method: "POST",
  url: "/v1/invoiceitems",
  body: Type.Object(
    {
      customer: Id,
      invoice: Id,
      amount: Type.Integer({ minimum: -99_999_999, maximum: 99_999_999 }),
      currency: Type.Enum(["usd"]),
      description: Type.Optional(Id),
      metadata: Type.Optional(metadataParam),
    },
    closed,
  ),
  handle: async (call) => {
    const { customer, invoice: invoiceId, amount, description = null, metadata = {} } = call.body;
    await requireCustomer(call, customer, 400);
    const invoice = await requireInvoice(call, invoiceId);
    throwUnless(invoice, "draft", "add an item to");
    if (invoice.data.customer !== customer) {
      throw new StripeApiError(400, {
        message: "The invoice belongs to another customer.",
        param: "invoice",
      });
    }
    const id = call.newId("ii_1", 23);
    const data: ItemData = {
      livemode: call.livemode,
      ...{ customer, invoice: invoiceId, amount, description, metadata },
    };
    await call.objects.insert({ type: "invoiceitem", id, state: "attached", data });
    const createdAt = call.now;
    const item: StoredItem = { type: "invoiceitem", id, state: "attached", data, createdAt };
    return { status: 200, body: itemObject(item) };
  },
});

const getInvoice = stripeRoute({
  operation: "GetInvoicesInvoice",
  method: "GET",
  url: "/v1/invoices/:invoice",
  handle: (call) => respondWith(call, call.params["invoice"] ?? ""),
});

const listLines = stripeRoute({
  operation: "GetInvoicesInvoiceLines",
  method: "GET",
  url: "/v1/invoices/:invoice/lines",
  query: pageQuery({}),
  handle: async (call) => {
    const { id } = await requireInvoice(call, call.params["invoice"] ?? "");
    const lines = (await itemsOf(call.objects, id)).map(lineObject);
    return { status: 200, body: listPage(lines, call.query, `/v1/invoices/${id}/lines`) };
  },
});

const listInvoices = stripeRoute({
  operation: "GetInvoices",
  method: "GET",
  url: "/v1/invoices",
  query: pageQuery({ customer: Type.Optional(Id) }),
  handle: async (call) => {
    const { customer } = call.query;
    const found = (await call.objects.list<InvoiceData>("invoice"))
      .filter(({ data }) => data.livemode === call.livemode)
      .filter(({ data }) => customer === undefined || data.customer === customer)
      .reverse();
    const invoices = await Promise.all(
      found.map(async (invoice) => invoiceObject(invoice, await itemsOf(call.objects, invoice.id))),
    );
    return { status: 200, body: listPage(invoices, call.query, "/v1/invoices") };
  },
});

const finalizeInvoice = stripeRoute({
  operation: "PostInvoicesInvoiceFinalize",
  method: "POST",
  url: "/v1/invoices/:invoice/finalize",
  body: Type.Object({ auto_advance: Type.Optional(Type.Boolean()) }, closed),
  handle: async (call) => {
    const invoice = await requireInvoice(call, call.params["invoice"] ?? "");
    throwUnless(invoice, "draft", "finalize");
    const { id, data } = invoice;
    const finalizedAt = secondsOf(call);
    const customer = await requireCustomer(call, data.customer, 400);
    const { balance: startingBalance = 0 } = customer.data;
    const amount = totalOf(await itemsOf(call.objects, id)) + startingBalance;
    const isFree = dueOf(amount) === 0;
    const balance = amount - dueOf(amount);
    await call.objects.update("customer", customer.id, { data: { ...customer.data, balance } });
    const { auto_advance: autoAdvance = data.autoAdvance } = call.body;
    await call.objects.update("invoice", id, {
      state: isFree ? "paid" : "open",
      data: {
        ...data,
        startingBalance,
        autoAdvance,
        finalizedAt,
        paidAt: isFree ? finalizedAt : null,
      },
    });
    await call.emit("invoice.finalized", id);
    if (isFree) await call.emit("invoice.paid", id);
    return respondWith(call, id);
  },
});

const pay = stripeRoute({
  operation: "PostInvoicesInvoicePay",
  method: "POST",
  url: "/v1/invoices/:invoice/pay",
  body: Type.Object({ off_session: Type.Optional(Type.Boolean()) }, closed),
  handle: async (call) => {
    const invoice = await requireInvoice(call, call.params["invoice"] ?? "");
    if (invoice.state === "paid") {
      throw new StripeApiError(400, { message: "Invoice is already paid" });
    }
    throwUnless(invoice, "open", "pay");
    const customer = await call.find<CustomerData>("customer", invoice.data.customer);
    await payInvoice(call, invoice, customer?.data.defaultPaymentMethod ?? null);
    return respondWith(call, invoice.id);
  },
});

const voidInvoice = stripeRoute({
  operation: "PostInvoicesInvoiceVoid",
  method: "POST",
  url: "/v1/invoices/:invoice/void",
  body: Type.Object({}, closed),
  handle: async (call) => {
    const invoice = await requireInvoice(call, call.params["invoice"] ?? "");
    throwUnless(invoice, "open", "void");
    const data = { ...invoice.data, voidedAt: secondsOf(call) };
    await call.objects.update("invoice", invoice.id, { state: "void", data });
    await call.emit("invoice.voided", invoice.id);
    return respondWith(call, invoice.id);
  },
});

export const invoiceRoutes = [
  createInvoice,
  createItem,
  getInvoice,
  listLines,
  listInvoices,
  finalizeInvoice,
  pay,
  voidInvoice,
];

function throwUnless({ state }: StoredInvoice, expected: string, action: string): void {
  if (state === expected) return;
  throw new StripeApiError(400, {
    code: "invoice_not_editable",
    message: `You can only ${action} an invoice with status ${expected}. This invoice has status ${state}.`,
  });
}

function secondsOf({ now }: StripeCall<Static<typeof createInvoiceBody>> | StripeCall): number {
  return Math.floor(now.getTime() / 1_000);
}

async function respondWith(call: StripeCall, id: string) {
  const invoice = await requireInvoice(call, id);
  return { status: 200, body: invoiceObject(invoice, await itemsOf(call.objects, id)) };
}
