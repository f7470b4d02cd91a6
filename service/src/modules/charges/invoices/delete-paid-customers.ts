import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { itemsOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { type BillingInMode, billingRows, listBillingOfDeletedProjects } from "../billing/queries.ts";
import { hasUnpaidCharges } from "./queries.ts";

const PAGE_MAX = 100;

/** Deletes the customers of deleted projects at the payment processor, once all that Purser bills is paid or void. */
export async function deletePaidCustomers(app: Pick<App, "db" | "clock" | "billing">): Promise<void> {
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
