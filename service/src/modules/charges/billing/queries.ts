import { sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Page } from "../../../db/pages.ts";
import type { Row } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { sameColumns, updateWhere } from "../../../db/where.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { FoundProject } from "../../projects/queries.ts";
import type { VendorObject } from "../../vendor-webhooks/vendor-webhooks.ts";

export const billingRows = tableOf("projectBilling", ["tenantId", "projectId"]);

export type Billing = Row<"projectBilling">;

/** A billing row with its project's mode. */
export type BillingInMode = Billing & { readonly mode: Mode };

/** Returns the billing rows of any tenant with this setup or payment method at the payment processor. */
export async function listBillingOf(
  db: Db,
  column: "setupIntentId" | "paymentMethodId",
  { mode, objectId }: VendorObject,
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
    .innerJoin("projects", sameColumns("projects", "projectBilling", ["tenantId", "projectId"]))
    .selectAll("projectBilling")
    .select("projects.mode");
}

/** Sets the billing status if `setupIntentId` is the current setup and the status is `requires_action`. */
export async function finishSetup(
  tx: Tx,
  { tenantId, projectId }: FoundProject,
  { setupIntentId, ...change }: { readonly setupIntentId: string } & Pick<Billing, "status" | "updatedAt">,
): Promise<Billing | undefined> {
  return updateWhere(tx, "projectBilling", { tenantId, projectId, setupIntentId, status: "requires_action" })
    .set(change)
    .returningAll()
    .executeTakeFirst();
}
