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
import {
  findMeteredPlan,
  fixedCents,
  isProratedDaily,
  monthlyCostCents,
  nextDay,
  restOfMonthCents,
  upgradeCents,
  withPlanOf,
} from "../../charges/charge-amount.ts";
import { openMonths, reserveMonth, withPlanAt } from "../../charges/open-months.ts";
import { type Charge, hasReservedCharge, lockReservedCharge, lockReservedCharges } from "../../charges/queries.ts";
import { type ReserveCharge, reserveCharge } from "../../charges/reserve-charge.ts";
import { endCharge, releaseCharge } from "../../charges/settle-charge.ts";
import type { Project } from "../../projects/queries.ts";
import { periodOf } from "../../projects/usage.ts";
import { lockOwnProject } from "../provisioning/provisioning-context.ts";
import { type Service, serviceRows } from "../queries.ts";
import { findChange, recordServiceChange } from "../services.ts";
import type { PlanChange } from "./plan-change.ts";
import { type DuePlan, planChangeRows } from "./queries.ts";
import { chargeOfChange, settleLimitsOfChange } from "./reserve-plan-change.ts";

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

type Priced = Parameters<typeof monthlyCostCents>[0];

interface ChangedService {
  readonly project: Project;
  /** The service with its former plan. */
  readonly service: Service;
}

/**
 * Charges the rest of the month for the new plan, after the provider has changed it: ends the charges of the former plan
 * where the change frees money or ends metered use, and reserves what the new plan costs. What an upgrade costs was
 * reserved before. The caller must have locked the project and the service.
 */
async function chargePlanChange(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { project, service, change }: ChangedService & { readonly change: PlanChange },
): Promise<void> {
  const changed = chargeOfChange(service, change);
  if (monthlyCostCents(changed.service) === 0n && monthlyCostCents(service) === 0n) return;
  const at = await openMonths(tx, app, actor, project);
  const own = await findOwnCharge(tx, app, change, at);
  const charges = (await lockReservedCharges(tx, service, at)).filter(({ chargeId }) => chargeId !== own?.chargeId);
  const kept = endsFormerCharges(service, changed.service)
    ? await endFormer(tx, app, actor, { service, charges, at })
    : charges;
  if (own !== undefined) return;
  const hasEnded = kept.length < charges.length;
  const rest = restOf(service, changed, { at, kept, hasEnded });
  if (rest === undefined) return;
  const recordedAt = app.clock.now();
  const owed = { ...rest, month: periodOf(at), recordedAt, isOwed: true };
  const id = await reserveCharge(tx, actor, project, owed);
  invariant(typeof id === "string", "what is owed is not refused");
}

/** Returns whether the change frees money or ends metered use. Otherwise, the difference is charged in addition. */
function endsFormerCharges(service: Priced, changed: Priced): boolean {
  return (
    monthlyCostCents(changed) < monthlyCostCents(service) ||
    [service, changed].some((priced) => findMeteredPlan(priced) !== undefined)
  );
}

/** Returns what the rest of the month costs and is not reserved yet. Undefined if nothing. */
function restOf(
  service: Service,
  changed: Pick<ReserveCharge, "service" | "type">,
  { at, kept, hasEnded }: { readonly at: Date; readonly kept: readonly Charge[]; readonly hasEnded: boolean },
): Pick<ReserveCharge, "service" | "type" | "amountCents" | "from"> | undefined {
  const fixed = { at, keptCents: fixedCents(kept) };
  const addedCents = upgradeCents(service, changed.service, fixed);
  if (addedCents > 0n || findMeteredPlan(changed.service) !== undefined) {
    return { ...changed, amountCents: addedCents, from: at };
  }
  // A charge that began within the month is for the rest of it.
  const isWhole = ({ periodStart }: Charge) => periodStart <= periodOf(at).start;
  const missingCents = monthlyCostCents(changed.service) - sumOf(kept.filter(isWhole));
  const restCents = missingCents > 0n ? restOfMonthCents(missingCents, at) : 0n;
  const amountCents = restCents - sumOf(kept.filter((charge) => !isWhole(charge)));
  if (!hasEnded || amountCents <= 0n) return undefined;
  const type = kept.length > 0 ? { type: "adjustment" as const } : {};
  return { service: changed.service, amountCents, from: nextDay(at), ...type };
}

function sumOf(charges: readonly Charge[]): bigint {
  return charges.reduce((sum, { amountCents }) => sum + amountCents, 0n);
}

/** Returns the charge that was reserved for the change. If its month has ended meanwhile, releases it instead. */
async function findOwnCharge(
  tx: Tx,
  app: Pick<App, "clock">,
  change: PlanChange,
  at: Date,
): Promise<Charge | undefined> {
  const { tenantId } = change;
  const { chargeId } = await planChangeRows.get(tx, change);
  if (chargeId === null) return undefined;
  const charge = await lockReservedCharge(tx, { tenantId, chargeId });
  if (charge === undefined || charge.periodEnd > at) return charge;
  await releaseCharge(tx, app, charge);
  return undefined;
}

interface FormerCharges {
  readonly service: Service;
  readonly charges: readonly Charge[];
  readonly at: Date;
}

/**
 * Ends the charges of the former plan. Metered use ends now, and is settled as the provider reports it. A fixed price that
 * is prorated ends with this day, and is settled at once. Returns the charges that continue.
 */
async function endFormer(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { service, charges, at }: FormerCharges,
): Promise<readonly Charge[]> {
  const kept: Charge[] = [];
  for (const charge of charges) {
    const isMetered = charge.type === "usage";
    const end = isMetered ? at : nextDay(at);
    const canEnd = end < charge.periodEnd && (isMetered || isProratedDaily(withPlanOf(service, charge)));
    if (canEnd) await endCharge(tx, app, actor, { service, charge, end });
    else kept.push(charge);
  }
  return kept;
}

/**
 * Reserves the current month for the service's plan, and releases what was reserved for another plan. Does nothing if the
 * service costs nothing and nothing is reserved. The caller must have locked the project.
 */
async function replaceMonth(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { project, service }: ChangedService,
): Promise<void> {
  if (monthlyCostCents(service) === 0n && !(await hasReservedCharge(tx, service))) return;
  const at = await openMonths(tx, app, actor, project);
  const month = periodOf(at);
  const reserved = (await lockReservedCharges(tx, service, at)).filter(
    ({ type, periodStart }) => type !== "adjustment" && periodStart >= month.start,
  );
  const others = reserved.filter(({ plan }) => plan !== null && plan !== service.plan);
  for (const charge of others) await releaseCharge(tx, app, charge);
  if (reserved.length > others.length) return;
  await reserveMonth(tx, actor, project, { service, month, recordedAt: app.clock.now() });
}
