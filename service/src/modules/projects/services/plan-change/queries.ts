import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../../db/database.ts";
import { inTurns } from "../../../../db/pages.ts";
import type { Schema } from "../../../../db/schema.ts";
import type { OperationId, ServiceId, TenantId } from "../../../../foundation/ids.ts";
import type { Service } from "../queries.ts";

export type PlanChangeRow = Selectable<Schema["servicePlanChanges"]>;

interface PlanChangeKey {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
}

export async function insertPlanChange(tx: Tx, change: Insertable<Schema["servicePlanChanges"]>): Promise<void> {
  await tx.insertInto("servicePlanChanges").values(change).execute();
}

export async function getPlanChange(tx: Tx, { tenantId, operationId }: PlanChangeKey): Promise<PlanChangeRow> {
  return tx
    .selectFrom("servicePlanChanges")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .executeTakeFirstOrThrow();
}

/** Stores the charge that a change of plan has reserved. */
export async function updateChargeOfChange(
  tx: Tx,
  { tenantId, operationId }: PlanChangeKey,
  chargeId: string,
): Promise<void> {
  await tx
    .updateTable("servicePlanChanges")
    .set({ chargeId })
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .execute();
}

/** Returns the change that has scheduled the service's pending plan. */
export async function getScheduledChange(
  tx: Tx,
  { tenantId, serviceId, pendingPlan }: Pick<Service, "tenantId" | "serviceId" | "pendingPlan">,
): Promise<PlanChangeRow> {
  return tx
    .selectFrom("servicePlanChanges as change")
    .innerJoin("operations", (join) =>
      join
        .onRef("operations.tenantId", "=", "change.tenantId")
        .onRef("operations.operationId", "=", "change.operationId"),
    )
    .selectAll("change")
    .where("change.tenantId", "=", tenantId)
    .where("change.serviceId", "=", serviceId)
    .where("change.plan", "=", pendingPlan ?? "")
    .where("change.timing", "=", "scheduled")
    .where("operations.status", "=", "succeeded")
    .orderBy("change.createdAt", "desc")
    .orderBy("change.operationId", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** A service whose plan is to change. */
export interface DuePlan {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly pendingPlanAt: Date;
}

/** Yields the services of all tenants whose pending plan is due, the longest due first. */
export function duePlans(
  db: Db,
  { at, providers }: { readonly at: Date; readonly providers: readonly string[] },
): AsyncGenerator<DuePlan> {
  return inTurns<DuePlan>(db, ["pendingPlanAt", "tenantId", "serviceId"], () =>
    db
      .selectFrom("services")
      .select(["tenantId", "serviceId", sql<Date>`pending_plan_at`.as("pendingPlanAt")])
      .where("pendingPlanAt", "<=", at)
      .where("provider", "in", providers)
      .where("status", "not in", ["removing", "removed", "failed"]),
  );
}
