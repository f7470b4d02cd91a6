import type { App } from "../../../app.ts";
import { vendorIdempotencyKey } from "../../../crypto/vendor-idempotency-key.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import type { BillingProcessor, ProcessorInvoice } from "../../../ports/billing-processor.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { type Billing, billingRows } from "../billing/queries.ts";
import { applyInvoice } from "./apply-invoice.ts";
import { type Invoice, invoicesWith, listInvoiceCharges } from "./queries.ts";

type IssueApp = Pick<App, "db" | "clock" | "billing">;

/**
 * Makes each new invoice at the payment processor, and pays it with the project's default payment method. After a
 * declined payment, pays again when the project's payment method has changed. Each call can be repeated: it is made
 * after a look at what is there, with an idempotency key. Any number of processes can run this at the same time.
 */
export async function issueInvoices(app: IssueApp): Promise<void> {
  const invoices = invoicesWith(app.db, ["preparing", "open", "uncollectible"]);
  await tryEach(invoices, (invoice) => issueInvoice(app, invoice));
}

async function issueInvoice(app: IssueApp, invoice: Invoice): Promise<void> {
  const billing = await billingRows.find(app.db, invoice);
  invariant(billing !== undefined, "a project with an unpaid invoice has a customer");
  const processorInvoiceId = invoice.processorInvoiceId ?? (await makeInvoice(app, invoice)).invoiceId;
  if (!isPayable(invoice, billing)) return;
  const processor = app.billing[invoice.mode];
  await pay(processor, { invoice, processorInvoiceId, billing });
  const state = await processor.readInvoice(processorInvoiceId);
  await applyInvoice(app, invoice, { state, triedBillingAt: billing.updatedAt });
}

/** Makes the invoice with all its items at the processor, and finalizes it. */
async function makeInvoice(app: IssueApp, invoice: Invoice): Promise<ProcessorInvoice> {
  const { mode, invoiceId: reference, customerId, periodStart } = invoice;
  const processor = app.billing[mode];
  const month = periodStart.toISOString().slice(0, 7);
  const made =
    (await processor.findInvoice({ customerId, reference })) ??
    (await processor.createInvoice({
      customerId,
      reference,
      description: `Services in ${month}`,
      idempotencyKey: vendorIdempotencyKey(reference, "invoice"),
    }));
  const state = made.status === "draft" ? await finishDraft(app, invoice, made) : made;
  await applyInvoice(app, invoice, { state });
  return state;
}

async function finishDraft(
  app: IssueApp,
  invoice: Invoice,
  { invoiceId }: ProcessorInvoice,
): Promise<ProcessorInvoice> {
  const { mode, customerId, amountCents } = invoice;
  const processor = app.billing[mode];
  const references = await processor.listInvoiceReferences(invoiceId);
  for (const charge of await listInvoiceCharges(app.db, invoice)) {
    if (references.has(charge.chargeId)) continue;
    await processor.addInvoiceItem({
      customerId,
      invoiceId,
      reference: charge.chargeId,
      amountCents: charge.amountCents,
      description: charge.description,
      idempotencyKey: vendorIdempotencyKey(charge.chargeId, "invoice item"),
    });
  }
  const { totalCents, status } = await processor.readInvoice(invoiceId);
  // The customer must not be asked for another amount than the charges.
  invariant(totalCents === amountCents, `the total of ${invoiceId} is the sum of its charges`);
  if (status !== "draft") return processor.readInvoice(invoiceId);
  const idempotencyKey = vendorIdempotencyKey(invoice.invoiceId, "finalize");
  return processor.finalizeInvoice({ invoiceId, idempotencyKey });
}

/** Returns true if the project has a payment method that was not tried since it last changed. */
function isPayable({ triedBillingAt }: Invoice, { status, updatedAt }: Billing): boolean {
  if (status !== "ready" && status !== "past_due") return false;
  return triedBillingAt === null || triedBillingAt < updatedAt;
}

interface Pay {
  readonly invoice: Invoice;
  readonly processorInvoiceId: string;
  readonly billing: Billing;
}

/** Pays the invoice unless it is paid already. Also returns if the payment is declined. */
async function pay(
  processor: BillingProcessor,
  { invoice: { invoiceId: id }, processorInvoiceId: invoiceId, billing: { updatedAt } }: Pay,
): Promise<void> {
  const { status } = await processor.readInvoice(invoiceId);
  if (status !== "open" && status !== "uncollectible") return;
  // The processor answers a repeated key with the first result, so each change of the payment method has its own.
  const idempotencyKey = vendorIdempotencyKey(id, `pay ${updatedAt.toISOString()}`);
  await processor.payInvoice({ invoiceId, idempotencyKey }).catch((error: unknown) => {
    if (!(error instanceof VendorError) || error.failure !== "refused") throw error;
  });
}
