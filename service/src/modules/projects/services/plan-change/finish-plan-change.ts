import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import type { OperationRow } from "../../../../operations/queries.ts";
import { monthlyCostCents } from "../../charges/charge-amount.ts";
import { hasReservedCharge } from "../../charges/queries.ts";
import { periodOf } from "../../usage.ts";
import { agreedPriceOf } from "../plan-price.ts";
import { lockOwnProject } from "../provisioning/lock-own-project.ts";
import { getServiceById, lockServiceById, type Service, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { findFormerVersion } from "../rotation/find-former-version.ts";
import { chargePlanChange, replaceMonth } from "./charge-plan-change.ts";
import type { PlanChange } from "./plan-change.ts";
import { hasUndecidedTurn, updateChargeOfChange } from "./queries.ts";
import { releaseUnfinishedChanges, settleLimitsOfChange } from "./reserve-plan-change.ts";

const NOTHING_PENDING = { pendingPlan: null, pendingPlanAt: null } as const;

/**
 * Stores the plan that the service has now, with its price and its charges. A scheduled change becomes pending until the
 * next turn of the month.
 */
export async function finishPlanChange(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  change: PlanChange,
): Promise<void> {
  const project = await lockOwnProject(tx, change);
  const service = await lockServiceById(tx, change);
  const { operationId, plan, previousPlan, timing } = change;
  const occurredAt = app.clock.now();
  await settleLimitsOfChange(tx, app, change, service);
  const facts = { operation_id: operationId, agent_id: change.agentId };
  if (timing === "scheduled") {
    const pendingPlanAt = periodOf(occurredAt).end;
    const pending = { pendingPlan: plan, pendingPlanAt, updatedAt: occurredAt };
    await recordServiceChange(tx, actor, {
      action: "service.plan_change_scheduled",
      service: await updateServiceRow(tx, change, pending),
      facts: { ...facts, new_plan: plan, effective_at: pendingPlanAt.toISOString() },
      occurredAt,
    });
    return;
  }
  await releaseUnfinishedChanges(tx, app, change, { except: operationId });
  if (plan === service.plan) await restoreMonth(tx, app, actor, { project, service });
  if (timing === "immediate") await chargePlanChange(tx, app, actor, { project, service, change });
  await updateChargeOfChange(tx, change, null);
  const changed = await updateServiceRow(tx, change, {
    ...{ ...NOTHING_PENDING, plan, ...agreedPriceOf(change) },
    ...{ status: await statusAfterChange(tx, service), updatedAt: occurredAt },
  });
  await recordServiceChange(tx, actor, {
    action: "service.plan_changed",
    service: changed,
    facts: { ...facts, previous_plan: previousPlan },
    occurredAt,
  });
}

/**
 * Records that the change was undone or refused. The service has its status before the change and its former plan, unless
 * an operator has to decide about an earlier change and the provider was not asked for the former plan again.
 */
export async function failPlanChange(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  {
    change,
    code,
    isUndone,
  }: {
    readonly change: Pick<PlanChange, "tenantId" | "operationId" | "serviceId" | "plan" | "previousStatus" | "timing">;
    /** The code of the error that prevented the change. */
    readonly code: string;
    /** Whether the provider was asked for the former plan. */
    readonly isUndone: boolean;
  },
): Promise<void> {
  const { operationId, plan, previousStatus, timing } = change;
  const project = await lockOwnProject(tx, await getServiceById(tx, change));
  const before = await lockServiceById(tx, change);
  const occurredAt = app.clock.now();
  const hasFormerPlan = isUndone || previousStatus === "active";
  if (hasFormerPlan) await releaseUnfinishedChanges(tx, app, change);
  const service = await updateServiceRow(tx, change, {
    ...(before.status === "updating" && hasFormerPlan && { status: await statusAfterChange(tx, before) }),
    ...(timing === "turn" && NOTHING_PENDING),
    updatedAt: occurredAt,
  });
  if (timing === "turn") await reserveOwnMonth(tx, app, actor, { project, service });
  else if (hasFormerPlan) await restoreMonth(tx, app, actor, { project, service });
  await recordServiceChange(tx, actor, {
    action: "service.plan_change_failed",
    service,
    facts: { operation_id: operationId, new_plan: plan, code },
    occurredAt,
  });
}

/** A service whose former credential was not retired before its plan changed remains to be rotated. */
async function statusAfterChange(tx: Tx, service: Service): Promise<"active" | "rotating"> {
  return (await findFormerVersion(tx, service)) === null ? "active" : "rotating";
}

type Owed = Parameters<typeof replaceMonth>[3];

/**
 * Reserves the month for the plan that the service has, if it was reserved for another one at the turn and an operator had
 * to decide about that change.
 */
async function restoreMonth(tx: Tx, app: Pick<App, "clock">, actor: Actor, owed: Owed): Promise<void> {
  const { start } = periodOf(app.clock.now());
  if (await hasUndecidedTurn(tx, owed.service, start)) await reserveOwnMonth(tx, app, actor, owed);
}

async function reserveOwnMonth(tx: Tx, app: Pick<App, "clock">, actor: Actor, owed: Owed): Promise<void> {
  const { service } = owed;
  if (monthlyCostCents(service) === 0n && !(await hasReservedCharge(tx, service))) return;
  await replaceMonth(tx, app, actor, owed);
}

/** Cancels the pending plan of a service, so that the month's job does not try the change again. */
export async function escalatePlanChange(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { tenantId, serviceId }: OperationRow,
): Promise<void> {
  invariant(serviceId !== null, "an operation that changes a plan has the service's id");
  const change = { ...NOTHING_PENDING, updatedAt: clock.now() };
  await updateServiceRow(tx, { tenantId, serviceId }, change);
}
