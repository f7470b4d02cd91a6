import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId } from "../../../foundation/ids.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { periodOf } from "../../projects/usage.ts";
import type { VendorObject } from "../../vendor-webhooks/reported-object.ts";
import { chargeRows } from "../queries.ts";
import { recordCharge } from "../settle-charge.ts";
import { findInvoiceOfCustomer, type Invoice, invoiceRows, invoicesWith, sumRefunds } from "./queries.ts";

/** How long after its payment an invoice is looked at. A later refund is known only if its report arrives. */
const LOOK_BACK_MS = 90 * 86_400_000;

/**
 * Reads a charge from the payment processor. If more was refunded than before, adds the difference to the project's
 * charges as a refund, with a negative amount. Ignores charges of customers without invoices.
 */
export async function refreshCharge(
  app: Pick<App, "db" | "clock" | "billing">,
  { mode, objectId }: VendorObject,
): Promise<void> {
  const { customerId, refundedCents } = await app.billing[mode].readCharge(objectId);
  if (customerId === null || refundedCents === 0n) return;
  const invoice = await findInvoiceOfCustomer(app.db, mode, customerId);
  if (invoice === undefined) return;
  await recordRefund(app, invoice, { paymentId: objectId, refundedCents });
}

/**
 * Reads the charges for invoices that were paid in the last 90 days, because reports of refunds can be lost. Adds what
 * was refunded to the projects' charges.
 */
export async function refreshRefunds(app: Pick<App, "db" | "clock" | "billing">): Promise<void> {
  const changedSince = new Date(app.clock.now().getTime() - LOOK_BACK_MS);
  const invoices = invoicesWith(app.db, ["paid"], { changedSince });
  await tryEach(invoices, async (invoice) => {
    const charges = await app.billing[invoice.mode].listCharges(invoice.customerId);
    for (const { chargeId: paymentId, refundedCents } of charges) {
      if (refundedCents > 0n) await recordRefund(app, invoice, { paymentId, refundedCents });
    }
  });
}

async function recordRefund(
  { db, clock }: Pick<App, "db" | "clock">,
  invoice: Invoice,
  { paymentId, refundedCents }: { readonly paymentId: string; readonly refundedCents: bigint },
): Promise<void> {
  const { tenantId, projectId, mode } = invoice;
  await withTransaction(db, tenantId, async (tx) => {
    // Two reports of refunds of one customer wait for each other here.
    const { customerId } = invoice;
    const oldest = await findInvoiceOfCustomer(tx, mode, customerId);
    await invoiceRows.lockAndGet(tx, oldest ?? invoice);
    const addedCents = refundedCents - (await sumRefunds(tx, invoice, paymentId));
    if (addedCents <= 0n) return;
    const at = clock.now();
    const month = periodOf(at);
    const chargeId = newId("ch");
    await chargeRows.insert(tx, {
      ...{ tenantId, chargeId, projectId, mode, paymentId },
      provider: null,
      type: "refund",
      description: `Refund of ${paymentId}`,
      amountCents: -addedCents,
      currency: "usd",
      status: "succeeded",
      billedBy: "purser",
      periodStart: month.start,
      periodEnd: month.end,
      occurredAt: at,
    });
    const charge = await chargeRows.get(tx, { tenantId, chargeId });
    await recordCharge(tx, systemActor(invoice), "charge.refunded", { charge, at });
  });
}
