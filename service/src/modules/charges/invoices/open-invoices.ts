import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { periodOf } from "../../projects/usage.ts";
import { billingRows } from "../billing/queries.ts";
import { chargeEntry } from "../settle-charge.ts";
import {
  insertInvoice,
  isLastInvoice,
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
export async function openInvoices(app: Pick<App, "db" | "clock">): Promise<void> {
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
