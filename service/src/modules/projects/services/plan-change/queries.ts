import { type Insertable, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../../db/database.ts";
import { inTurns } from "../../../../db/pages.ts";
import type { Schema } from "../../../../db/schema.ts";
import type { OperationId, ServiceId, TenantId } from "../../../../foundation/ids.ts";
import type { Service, ServiceKey } from "../queries.ts";

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

/** Stores the charge that a change of plan has reserved, or null if the change has ended. */
export async function updateChargeOfChange(
  tx: Tx,
  { tenantId, operationId }: PlanChangeKey,
  chargeId: string | null,
): Promise<void> {
  await tx
    .updateTable("servicePlanChanges")
    .set({ chargeId })
    .where("tenantId", "=", tenantId)
    .where("operationId", "=", operationId)
    .execute();
}

/** Returns the service's changes of plan that have reserved a charge and have neither succeeded nor been undone. */
export async function listUnfinishedChanges(tx: Tx, { tenantId, serviceId }: ServiceKey): Promise<PlanChangeRow[]> {
  return tx
    .selectFrom("servicePlanChanges")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("serviceId", "=", serviceId)
    .where("chargeId", "is not", null)
    .orderBy("operationId")
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

/**
 * Returns whether an operator had to decide about a change at a turn of the month since `since`, and no other change has
 * succeeded after it.
 */
export async function hasUndecidedTurn(tx: Tx, { tenantId, serviceId }: ServiceKey, since: Date): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from service_plan_changes as change join operations using (tenant_id, operation_id)
      where tenant_id = ${tenantId} and change.service_id = ${serviceId} and timing = 'turn'
        and change.created_at >= ${since} and operations.status = 'needs_operator' and not exists (
          select from service_plan_changes as later
            join operations as ended on ended.tenant_id = later.tenant_id and ended.operation_id = later.operation_id
          where later.tenant_id = change.tenant_id and later.service_id = change.service_id
            and later.operation_id <> change.operation_id and later.created_at >= change.created_at
            and later.timing <> 'scheduled' and ended.status = 'succeeded'))`.execute(tx);
  return rows[0]?.exists ?? false;
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
