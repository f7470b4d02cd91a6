import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { itemsOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import type { VendorObject } from "../../vendor-webhooks/reported-object.ts";
import { type BillingInMode, billingRows, listBillingOfDeletedProjects } from "../billing/queries.ts";
import { applyInvoice } from "./apply-invoice.ts";
import { issueInvoices } from "./issue-invoices.ts";
import { openInvoices } from "./open-invoices.ts";
import { hasUnpaidCharges, type Invoice, invoiceRowsAtProcessor, invoicesWith } from "./queries.ts";

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
