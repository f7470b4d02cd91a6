import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Page } from "../../../db/pages.ts";
import type { ProjectBillingTable } from "../../../db/schema.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { FoundProject } from "../../projects/queries.ts";

export type Billing = Selectable<ProjectBillingTable>;

/** Returns the project's billing row, or undefined if it has no customer at the payment processor. */
export async function findBilling(db: Db, { tenantId, projectId }: FoundProject): Promise<Billing | undefined> {
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
export async function insertBilling(tx: Tx, billing: Insertable<ProjectBillingTable>): Promise<boolean> {
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

/** Returns the project's billing row and locks it until the transaction ends. Invoices are made under this lock. */
export async function lockBilling(tx: Tx, { tenantId, projectId }: FoundProject): Promise<Billing | undefined> {
  return tx
    .selectFrom("projectBilling")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
}

/** A billing row with its project's mode. */
export type BillingInMode = Billing & { readonly mode: Mode };

/** Returns the billing rows of any tenant with this setup or payment method at the payment processor. */
export async function listBillingOf(
  db: Db,
  column: "setupIntentId" | "paymentMethodId",
  { mode, objectId }: { readonly mode: Mode; readonly objectId: string },
): Promise<BillingInMode[]> {
  return selectBillingInMode(db)
    .where(`projectBilling.${column}`, "=", objectId)
    .where("projects.mode", "=", mode)
    .execute();
}

/** Returns one page of the billing rows of deleted projects, which stay until their charges are paid. */
export async function listBillingOfDeletedProjects(
  db: Db,
  { after, limit }: Page<Pick<Billing, "tenantId" | "projectId">>,
): Promise<BillingInMode[]> {
  return selectBillingInMode(db)
    .where("projects.status", "=", "deleted")
    .where(
      sql<boolean>`(project_billing.tenant_id, project_billing.project_id) > (${after?.tenantId ?? ""}, ${after?.projectId ?? ""})`,
    )
    .orderBy("projectBilling.tenantId")
    .orderBy("projectBilling.projectId")
    .limit(limit)
    .execute();
}

function selectBillingInMode(db: Db) {
  return db
    .selectFrom("projectBilling")
    .innerJoin("projects", (join) =>
      join
        .onRef("projects.tenantId", "=", "projectBilling.tenantId")
        .onRef("projects.projectId", "=", "projectBilling.projectId"),
    )
    .selectAll("projectBilling")
    .select("projects.mode");
}

/** Sets the billing status if `setupIntentId` is the current setup and the status is `requires_action`. */
export async function finishSetup(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  { setupIntentId, ...change }: { readonly setupIntentId: string } & Pick<Billing, "status" | "updatedAt">,
): Promise<Billing | undefined> {
  return tx
    .updateTable("projectBilling")
    .set(change)
    .where("tenantId", "=", tenantId)
    .where("projectId", "=", projectId)
    .where("setupIntentId", "=", setupIntentId)
    .where("status", "=", "requires_action")
    .returningAll()
    .executeTakeFirst();
}

export async function deleteBilling(tx: Tx, { tenantId, projectId }: FoundProject): Promise<void> {
  await tx.deleteFrom("projectBilling").where("tenantId", "=", tenantId).where("projectId", "=", projectId).execute();
}
