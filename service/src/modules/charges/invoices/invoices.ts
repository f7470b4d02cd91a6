import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { vendorIdempotencyKey } from "../../../crypto/vendor-idempotency-key.ts";
import { itemsOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import type { BillingProcessor, ProcessorInvoice } from "../../../ports/billing-processor.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { periodOf } from "../../projects/usage.ts";
import type { VendorObject } from "../../vendor-webhooks/vendor-webhooks.ts";
import { type Billing, type BillingInMode, billingRows, listBillingOfDeletedProjects } from "../billing/queries.ts";
import { chargeEntry } from "../settle-charge.ts";
import { applyInvoice } from "./apply-invoice.ts";
import {
  hasUnpaidCharges,
  type Invoice,
  insertInvoice,
  invoiceRowsAtProcessor,
  invoicesWith,
  isLastInvoice,
  listInvoiceCharges,
  lockChargesToInvoice,
  type MonthToInvoice,
  monthsToInvoice,
  releaseCharges,
} from "./queries.ts";

/** Stripe marks an invoice below 0.50 USD as paid without a payment, and adds the amount to the customer's debts. */
const AMOUNT_MIN_CENTS = 50n;

/**
 * Puts the charges of each project's ended months on one invoice per month, once all of the month's charges are
 * settled. After the deletion of a project, its last month too. An amount that is too small to be paid waits for the
 * next month's; if the project is deleted, it is waived. The payment processor is not called.
 */
async function openInvoices(app: Pick<App, "db" | "clock">): Promise<void> {
  const currentStart = periodOf(app.clock.now()).start;
  const months = monthsToInvoice(app.db, currentStart, AMOUNT_MIN_CENTS);
  await tryEach(months, (month) => openInvoice(app, month));
}

async function openInvoice({ db, clock }: Pick<App, "db" | "clock">, month: MonthToInvoice): Promise<void> {
  const { tenantId, projectId, mode, periodStart } = month;
  await withTransaction(db, tenantId, async (tx) => {
    const billing = await billingRows.lock(tx, month);
    invariant(billing !== undefined, "a project that Purser bills has a customer");
    const charges = await lockChargesToInvoice(tx, month);
    if (charges.length === 0) return;
    const at = clock.now();
    const amountCents = charges.reduce((sum, charge) => sum + charge.amountCents, 0n);
    const { customerId } = billing;
    const chargeIds = charges.map(({ chargeId }) => chargeId);
    if (amountCents < AMOUNT_MIN_CENTS) {
      // The next month's invoice has these charges too.
      if (!(await isLastInvoice(tx, month))) return;
      await releaseCharges(tx, month, chargeIds);
      for (const charge of charges) {
        await appendAuditEntry(tx, systemActor(month), chargeEntry("charge.waived", charge, at));
      }
      return;
    }
    await insertInvoice(
      tx,
      {
        ...{ tenantId, projectId, mode, periodStart, amountCents, customerId },
        invoiceId: newId("inv"),
        status: "preparing",
        createdAt: at,
        updatedAt: at,
      },
      chargeIds,
    );
  });
}

type IssueApp = Pick<App, "db" | "clock" | "billing">;

/**
 * Makes each new invoice at the payment processor, and pays it with the project's default payment method. After a
 * declined payment, pays again when the project's payment method has changed. Each call can be repeated: it is made
 * after a look at what is there, with an idempotency key. Any number of processes can run this at the same time.
 */
async function issueInvoices(app: IssueApp): Promise<void> {
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

const PAGE_MAX = 100;

/** Deletes the customers of deleted projects at the payment processor, once all that Purser bills is paid or void. */
async function deletePaidCustomers(app: Pick<App, "db" | "clock" | "billing">): Promise<void> {
  const kept = itemsOf<BillingInMode>((after) => listBillingOfDeletedProjects(app.db, { after, limit: PAGE_MAX }));
  await tryEach(kept, async (billing) => {
    const { tenantId, projectId, customerId, mode } = billing;
    if (await hasUnpaidCharges(app.db, billing)) return;
    await app.billing[mode].deleteCustomer(customerId);
    await withTransaction(app.db, tenantId, async (tx) => {
      // Another process may have deleted it.
      if ((await billingRows.lock(tx, billing)) === undefined) return;
      await billingRows.remove(tx, billing);
      await appendAuditEntry(tx, systemActor({ tenantId, mode }), {
        action: "payment_customer.deleted",
        subject: { type: "project", id: projectId },
        facts: { customer_id: customerId },
        occurredAt: app.clock.now(),
      });
    });
  });
}

/**
 * Makes and pays the invoices of what Purser bills, and deletes the customers of deleted projects that owe nothing. One
 * invoice's error does not affect the others.
 */
export async function billProjects(app: Pick<App, "db" | "clock" | "billing">): Promise<void> {
  await tryEach([openInvoices, issueInvoices, deletePaidCustomers], (step) => step(app));
}

type RefreshApp = Pick<App, "db" | "clock" | "billing">;

/** Reads the invoice with this id from the payment processor and applies its state. Ignores invoices of others. */
export async function refreshInvoice(app: RefreshApp, { mode, objectId }: VendorObject): Promise<void> {
  const invoice = await invoiceRowsAtProcessor.find(app.db, { mode, processorInvoiceId: objectId });
  if (invoice !== undefined) await readAndApply(app, invoice);
}

/** Reads all unpaid invoices from the payment processor, because its reports can be lost. */
export async function refreshOpenInvoices(app: RefreshApp): Promise<void> {
  const invoices = invoicesWith(app.db, ["open", "uncollectible"]);
  await tryEach(invoices, (invoice) => readAndApply(app, invoice));
}

async function readAndApply(app: RefreshApp, invoice: Invoice): Promise<void> {
  const { mode, processorInvoiceId } = invoice;
  if (processorInvoiceId === null) return;
  const state = await app.billing[mode].readInvoice(processorInvoiceId);
  await applyInvoice(app, invoice, { state });
}
