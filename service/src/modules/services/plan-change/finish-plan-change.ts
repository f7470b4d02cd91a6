import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { OperationId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { createOperation, type NewOperation } from "../../../operations/operations.ts";
import type { OperationRow } from "../../../operations/queries.ts";
import { agreedPriceOf } from "../../catalog/plans.ts";
import { withPlanAt } from "../../charges/open-months.ts";
import { periodOf } from "../../projects/usage.ts";
import { lockOwnProject } from "../provisioning/provisioning-context.ts";
import { serviceRows } from "../queries.ts";
import { findChange, recordServiceChange } from "../services.ts";
import { chargePlanChange, replaceMonth } from "./charge-plan-change.ts";
import type { PlanChange } from "./plan-change.ts";
import { type DuePlan, planChangeRows } from "./queries.ts";
import { settleLimitsOfChange } from "./reserve-plan-change.ts";

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

const NOTHING_PENDING = { pendingPlan: null, pendingPlanAt: null } as const;

/**
 * Stores the plan that the service has now, with its price and its charges. A scheduled change becomes pending until the
 * start of the next month.
 */
export async function finishPlanChange(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  change: PlanChange,
): Promise<void> {
  const project = await lockOwnProject(tx, change);
  const service = await serviceRows.lockAndGet(tx, change);
  const { operationId, plan, previousPlan, timing } = change;
  const occurredAt = app.clock.now();
  await settleLimitsOfChange(tx, app, change, service);
  const facts = { operation_id: operationId, agent_id: change.agentId };
  if (timing === "scheduled") {
    const pendingPlanAt = periodOf(occurredAt).end;
    const pending = { pendingPlan: plan, pendingPlanAt, updatedAt: occurredAt };
    await recordServiceChange(tx, actor, {
      action: "service.plan_change_scheduled",
      service: await serviceRows.updateAndGet(tx, change, pending),
      facts: { ...facts, new_plan: plan, effective_at: pendingPlanAt.toISOString() },
      occurredAt,
    });
    return;
  }
  if (timing === "immediate") await chargePlanChange(tx, app, actor, { project, service, change });
  const changed = await serviceRows.updateAndGet(tx, change, {
    ...{ ...NOTHING_PENDING, plan, ...agreedPriceOf(change) },
    ...{ status: "active", updatedAt: occurredAt },
  });
  // An operator can have decided about a change at the turn after another turn.
  if (timing === "turn") await replaceMonth(tx, app, actor, { project, service: changed });
  await recordServiceChange(tx, actor, {
    action: "service.plan_changed",
    service: changed,
    facts: { ...facts, previous_plan: previousPlan },
    occurredAt,
  });
}

interface FailPlanChange {
  readonly change: Pick<PlanChange, "tenantId" | "operationId" | "serviceId" | "plan" | "timing">;
  /** The code of the error that prevented the change. */
  readonly code: string;
}

/** Records that the change was undone or refused. The service has its former plan. */
export async function failPlanChange(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { change: { tenantId, operationId, serviceId, plan, timing }, code }: FailPlanChange,
): Promise<void> {
  const key = { tenantId, serviceId };
  const project = await lockOwnProject(tx, await serviceRows.get(tx, key));
  const { status } = await serviceRows.lockAndGet(tx, key);
  const occurredAt = app.clock.now();
  const service = await serviceRows.updateAndGet(tx, key, {
    status: status === "updating" ? "active" : status,
    ...(timing === "turn" && NOTHING_PENDING),
    updatedAt: occurredAt,
  });
  if (timing === "turn") await replaceMonth(tx, app, actor, { project, service });
  await recordServiceChange(tx, actor, {
    action: "service.plan_change_failed",
    service,
    facts: { operation_id: operationId, new_plan: plan, code },
    occurredAt,
  });
}

/** Cancels the pending plan of a service, so that the month's job does not try the change again. */
export async function escalatePlanChange(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, serviceId }: OperationRow,
): Promise<void> {
  invariant(serviceId !== null, "an operation that changes a plan has the service's id");
  const change = { ...NOTHING_PENDING, updatedAt: clock.now() };
  await serviceRows.updateAndGet(tx, { tenantId, serviceId }, change);
}
