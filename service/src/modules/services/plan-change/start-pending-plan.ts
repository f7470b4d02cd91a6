import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { OperationId } from "../../../foundation/ids.ts";
import { createOperation, type NewOperation } from "../../../operations/create-operation.ts";
import { agreedPriceOf } from "../../catalog/plans.ts";
import { withPlanAt } from "../../charges/open-months.ts";
import { lockOwnProject } from "../provisioning/lock-own-project.ts";
import { serviceRows } from "../queries.ts";
import { findChange } from "../throw-if-changing.ts";
import { replaceMonth } from "./charge-plan-change.ts";
import { type DuePlan, planChangeRows } from "./queries.ts";

/**
 * Starts the change to a pending plan whose month has begun: reserves the month at the new plan's price, even above the
 * cap, and creates the operation of the saga `kind`. Returns undefined if there is nothing to do, or while another
 * operation changes the service.
 */
export async function startPendingPlan(
  app: Pick<App, "db" | "clock">,
  key: DuePlan,
  kind: NewOperation["kind"],
): Promise<OperationId | undefined> {
  const { mode, projectId } = await serviceRows.get(app.db, key);
  const { tenantId, serviceId } = key;
  return withTransaction(app.db, tenantId, async (tx) => {
    const project = await lockOwnProject(tx, { tenantId, mode, projectId });
    const service = await serviceRows.lockAndGet(tx, key);
    const { pendingPlan: plan, pendingPlanAt, plan: previousPlan, agentId, status } = service;
    const createdAt = app.clock.now();
    if (plan === null || pendingPlanAt === null || pendingPlanAt > createdAt) return undefined;
    if (status !== "active" || (await findChange(tx, service)) !== undefined) return undefined;
    const actor = systemActor({ tenantId, mode });
    const planned = await withPlanAt(tx, service, createdAt);
    await replaceMonth(tx, app, actor, { project, service: planned });
    const subject = { type: "service", id: serviceId };
    const operationId = await createOperation(tx, app, actor, { kind, subject, projectId });
    const change = { tenantId, operationId, serviceId, previousPlan, plan, agentId, createdAt };
    await planChangeRows.insert(tx, { ...change, ...agreedPriceOf(planned), timing: "turn" });
    await serviceRows.updateAndGet(tx, service, { status: "updating", updatedAt: createdAt });
    return operationId;
  });
}
