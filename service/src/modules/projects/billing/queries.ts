import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { ProjectBillingTable } from "../../../db/schema.ts";
import type { FoundProject } from "../queries.ts";

export type Billing = Selectable<ProjectBillingTable>;

/** Returns the project's billing row, or undefined if it has no customer at the payment processor. */
export async function findBilling(
  db: Db,
  { tenantId, projectId }: FoundProject,
): Promise<Billing | undefined> {
  return db
    .selectFrom("projectBilling")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .executeTakeFirst();
}

/**
 * Inserts the project's billing row. If the project already has a row, changes nothing and returns false. That row has
 * the same customer ID as `billing`, because a project has only one customer.
 */
export async function insertBilling(
  tx: Tx,
  billing: Insertable<ProjectBillingTable>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto("projectBilling")
    .values(billing)
    .onConflict((conflict) => conflict.columns(["tenantId", "projectId"]).doNothing())
    .returning("customerId")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateBilling(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  change: Updateable<ProjectBillingTable>,
): Promise<void> {
  await tx
    .updateTable("projectBilling")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .execute();
}

/**
 * Sets the billing status to `ready` if `setupIntentId` is the current setup and the status is `requires_action`.
 * Returns true if the status changed.
 */
export async function finishSetup(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  { setupIntentId, updatedAt }: { readonly setupIntentId: string; readonly updatedAt: Date },
): Promise<boolean> {
  const finished = await tx
    .updateTable("projectBilling")
    .set({ status: "ready", updatedAt })
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("setupIntentId", "=", setupIntentId)
    .where("status", "=", "requires_action")
    .returning("projectId")
    .executeTakeFirst();
  return finished !== undefined;
}

export async function deleteBilling(tx: Tx, { tenantId, projectId }: FoundProject): Promise<void> {
  await tx
    .deleteFrom("projectBilling")
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .execute();
}
