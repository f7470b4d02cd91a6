import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId } from "../../../foundation/ids.ts";
import { formatUsdCents } from "../../../foundation/money.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import type { ProcessorInvoice } from "../../../ports/billing-processor.ts";
import { periodOf } from "../../projects/usage.ts";
import type { VendorObject } from "../../vendor-webhooks/vendor-webhooks.ts";
import { type Billing, billingRows } from "../billing/queries.ts";
import { chargeRows } from "../queries.ts";
import { recordCharge } from "../settle-charge.ts";
import {
  findInvoiceOfCustomer,
  hasPastDueInvoice,
  type Invoice,
  invoiceRows,
  invoicesWith,
  sumRefunds,
  updateInvoiceCharges,
} from "./queries.ts";

/** What happened to an invoice, as it is named in the audit trail. */
type Outcome = "finalized" | "paid" | "payment_failed" | "voided";

/**
 * Applies the state that an invoice has at the payment processor: its charges become `succeeded`, `failed` or `released`,
 * and the project's billing `past_due` or `ready`. An older state than the stored one changes nothing, because a paid or
 * voided invoice stays so.
 */
export async function applyInvoice(
  { db, clock }: Pick<App, "db" | "clock">,
  key: Pick<Invoice, "tenantId" | "projectId" | "invoiceId">,
  { state, triedBillingAt }: { readonly state: ProcessorInvoice; readonly triedBillingAt?: Date },
): Promise<void> {
  if (state.status === "draft") return;
  const { status } = state;
  await withTransaction(db, key.tenantId, async (tx) => {
    const billing = await billingRows.lock(tx, key);
    const invoice = await invoiceRows.lockAndGet(tx, key);
    if (invoice.status === "paid" || invoice.status === "void") return;
    const at = clock.now();
    const pastDue = isPastDue(invoice, state);
    await invoiceRows.update(tx, invoice, {
      status,
      pastDue,
      processorInvoiceId: state.invoiceId,
      updatedAt: at,
      ...(triedBillingAt && { triedBillingAt }),
    });
    if (billing !== undefined) await setBillingStatus(tx, billing);
    const actor = systemActor(invoice);
    for (const outcome of outcomesOf(invoice, { status, pastDue })) {
      await recordInvoice(tx, actor, outcome, { invoice, state, at });
    }
    await applyToCharges(tx, actor, { invoice, state, pastDue, at });
  });
}

/** Once declined, an invoice is past due until it is paid or void, even if an older state arrives later. */
function isPastDue(before: Invoice, { status, attempted }: ProcessorInvoice): boolean {
  return status === "uncollectible" || (status === "open" && (attempted || before.pastDue));
}

function outcomesOf(
  before: Invoice,
  { status, pastDue }: { readonly status: ProcessorInvoice["status"]; readonly pastDue: boolean },
): Outcome[] {
  const outcomes: Outcome[] = before.status === "preparing" ? ["finalized"] : [];
  if (status === "paid") outcomes.push("paid");
  if (status === "void") outcomes.push("voided");
  if (pastDue && !before.pastDue) outcomes.push("payment_failed");
  return outcomes;
}

/** Sets the billing status to `past_due` while an invoice is past due, and then back. */
async function setBillingStatus(tx: Tx, billing: Billing): Promise<void> {
  const [from, to] = (await hasPastDueInvoice(tx, billing))
    ? (["ready", "past_due"] as const)
    : (["past_due", "ready"] as const);
  if (billing.status === from) await billingRows.update(tx, billing, { status: to });
}

interface Change {
  readonly invoice: Invoice;
  readonly state: ProcessorInvoice;
  readonly at: Date;
}

async function recordInvoice(tx: Tx, actor: Actor, outcome: Outcome, { invoice, state, at }: Change): Promise<void> {
  const { invoiceId, projectId, periodStart, amountCents } = invoice;
  await appendAuditEntry(tx, actor, {
    action: `invoice.${outcome}`,
    subject: { type: "invoice", id: invoiceId },
    facts: {
      project_id: projectId,
      processor_invoice_id: state.invoiceId,
      amount: formatUsdCents(amountCents),
      period_start: periodStart.toISOString(),
    },
    occurredAt: at,
  });
}

async function applyToCharges(
  tx: Tx,
  actor: Actor,
  { invoice, state, pastDue, at }: Change & { readonly pastDue: boolean },
): Promise<void> {
  if (state.status === "paid") {
    const change = { status: "succeeded", paymentId: state.invoiceId } as const;
    const paid = await updateInvoiceCharges(tx, invoice, ["pending", "failed"], change);
    for (const charge of paid) await recordCharge(tx, actor, "charge.succeeded", { charge, at });
  } else if (state.status === "void") {
    await updateInvoiceCharges(tx, invoice, ["pending", "failed"], { status: "released" });
  } else if (pastDue) {
    const failed = await updateInvoiceCharges(tx, invoice, ["pending"], { status: "failed" });
    for (const charge of failed) await recordCharge(tx, actor, "charge.failed", { charge, at });
  }
}

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
