import type { App } from "../../../app.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { applyInvoice } from "./apply-invoice.ts";
import { findInvoiceAtProcessor, type Invoice, invoicesWith } from "./queries.ts";

type RefreshApp = Pick<App, "db" | "clock" | "billing">;

/** Reads the invoice with this id from the payment processor and applies its state. Ignores invoices of others. */
export async function refreshInvoice(
  app: RefreshApp,
  processorInvoice: { readonly mode: Mode; readonly objectId: string },
): Promise<void> {
  const invoice = await findInvoiceAtProcessor(app.db, processorInvoice);
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
