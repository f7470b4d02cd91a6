import { type Selectable, sql } from "kysely";
import type { Db } from "../../../db/database.ts";
import { inTurns } from "../../../db/pages.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { selectWhere } from "../../../db/where.ts";
import type { ServiceId, TenantId } from "../../../foundation/ids.ts";

export const planChangeRows = tableOf("servicePlanChanges", ["tenantId", "operationId"]);

export type PlanChangeRow = Selectable<Schema["servicePlanChanges"]>;

/** A service whose plan is to change. */
export interface DuePlan {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly pendingPlanAt: Date;
}

/** Yields the services of all tenants whose pending plan is due, the longest due first. */
export function duePlans(db: Db, at: Date, providers: readonly string[]): AsyncGenerator<DuePlan> {
  return inTurns<DuePlan>(db, ["pendingPlanAt", "tenantId", "serviceId"], () =>
    selectWhere(db, "services", { status: "active" })
      .select(["tenantId", "serviceId", sql<Date>`pending_plan_at`.as("pendingPlanAt")])
      .where("pendingPlanAt", "<=", at)
      .where("provider", "in", providers),
  );
}
