import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { ProjectBillingTable } from "../../../db/schema.ts";
import type { FoundProject } from "../queries.ts";

export type Billing = Selectable<ProjectBillingTable>;

/** The project's customer at the payment processor, or undefined where it has none yet. */
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

/** Writes the project's customer down. False: it was there. Of two who do so at once one does: the processor made one only. */
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

/** Notes that this setup succeeded. False: the project has another one by now, or it is not waiting. */
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
