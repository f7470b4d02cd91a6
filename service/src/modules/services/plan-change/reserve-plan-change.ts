import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { ReservationCause } from "../../../budgets/budget.ts";
import type { BudgetRefusal } from "../../../budgets/reserve-budgets.ts";
import type { Tx } from "../../../db/database.ts";
import { type UsdMicros, usdMicrosFromCents } from "../../../foundation/money.ts";
import { agreedPriceOf } from "../../catalog/plans.ts";
import { findMeteredPlan, fixedCents, monthlyCostCents, upgradeCents } from "../../charges/charge-amount.ts";
import { openMonths, withPlanAt } from "../../charges/open-months.ts";
import { lockReservedCharge, lockReservedCharges } from "../../charges/queries.ts";
import { type ReserveCharge, reserveCharge } from "../../charges/reserve-charge.ts";
import { releaseCharge } from "../../charges/settle-charge.ts";
import { reserveLimits } from "../../policies/policy-limits.ts";
import { projectCap, providerCap } from "../../projects/caps.ts";
import type { Project } from "../../projects/queries.ts";
import { periodOf } from "../../projects/usage.ts";
import { lockActiveProject, settleLimits } from "../provisioning/reserve-service.ts";
import { listServicesInPlace, type Service, serviceRows } from "../queries.ts";
import type { PlanChange } from "./plan-change.ts";
import { planChangeRows } from "./queries.ts";

type Reservation = Pick<ReserveCharge, "limits" | "approvedCaps">;
type Refused = { readonly refusal: BudgetRefusal; readonly project: Project } | undefined;

/**
 * Reserves what the change costs in addition, and sets the service to `updating`. A scheduled change only checks that the
 * next month fits into the caps. Returns the first limit or cap that is too small, with the project, or undefined. Throws
 * `conflict` if the project is not active. The caller must commit the transaction even if a cap is too small, because an
 * event was written.
 */
export async function reservePlanChange(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  change: PlanChange,
  reservation: Reservation,
): Promise<Refused> {
  const project = await lockActiveProject(tx, change);
  const service = await serviceRows.lockAndGet(tx, change);
  const reserve = change.timing === "scheduled" ? reserveNextMonth : reserveRestOfMonth;
  const refusal = await reserve(tx, app, actor, { project, service, change, ...reservation });
  if (refusal !== undefined) return { refusal, project };
  if (change.timing === "scheduled") return undefined;
  await serviceRows.updateAndGet(tx, service, { status: "updating", updatedAt: app.clock.now() });
  return undefined;
}

/** Releases what a change of plan has reserved. Returns true if there was anything. */
export async function releasePlanChange(tx: Tx, app: Pick<App, "clock">, change: PlanChange): Promise<boolean> {
  const { chargeId } = await planChangeRows.get(tx, change);
  const charge = chargeId === null ? undefined : await lockReservedCharge(tx, { ...change, chargeId });
  if (charge !== undefined) await releaseCharge(tx, app, charge);
  const hasLimits = await settleLimits(tx, app, { ...change, ...causeOf(change) }, null);
  return charge !== undefined || hasLimits;
}

/** Commits what a change of plan has reserved only in the limits of policies. */
export async function settleLimitsOfChange(
  tx: Tx,
  app: Pick<App, "clock">,
  change: PlanChange,
  service: Service,
): Promise<void> {
  const amountMicros = addedMicros(service, change);
  await settleLimits(tx, app, { ...change, ...causeOf(change) }, amountMicros);
}

interface Asked extends Reservation {
  readonly project: Project;
  readonly service: Service;
  readonly change: PlanChange;
}

async function reserveRestOfMonth(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { project, service, change, limits = [], approvedCaps = [] }: Asked,
): Promise<BudgetRefusal | undefined> {
  const recordedAt = app.clock.now();
  const nothing = { limits, amountMicros: usdMicrosFromCents(0n), at: recordedAt };
  const changed = chargeOfChange(service, change);
  const whole = { at: recordedAt, keptCents: 0n };
  if (upgradeCents(service, changed.service, whole) === 0n) {
    return reserveInLimits(tx, change, nothing);
  }
  const from = await openMonths(tx, app, actor, project);
  const keptCents = await readKeptCents(tx, service, from);
  const amountCents = upgradeCents(service, changed.service, { at: from, keptCents });
  if (amountCents === 0n) return reserveInLimits(tx, change, nothing);
  const reserved = await reserveCharge(tx, actor, project, {
    ...{ ...changed, month: periodOf(from), from, amountCents, recordedAt },
    ...{ isOwed: false, limits, approvedCaps },
  });
  if (typeof reserved !== "string") return reserved;
  await planChangeRows.update(tx, change, { chargeId: reserved });
  return undefined;
}

/** Returns what is reserved for fixed prices of the service this month. */
export async function readKeptCents(tx: Tx, service: Service, at: Date): Promise<bigint> {
  return fixedCents(await lockReservedCharges(tx, service, at));
}

/** Returns the service with its new plan at the requested price, and the type of the charge for it. */
export function chargeOfChange(service: Service, change: PlanChange): Pick<ReserveCharge, "service" | "type"> {
  const { plan, agentId } = change;
  const changed = { ...service, plan, agentId, ...agreedPriceOf(change) };
  const isAdded =
    monthlyCostCents(service) > 0n && [service, changed].every((priced) => findMeteredPlan(priced) === undefined);
  return { service: changed, ...(isAdded && { type: "adjustment" as const }) };
}

/** The next month's budget is not open yet, so its costs are added up instead of reserved. */
async function reserveNextMonth(
  tx: Tx,
  app: Pick<App, "clock">,
  _actor: Actor,
  { project, service, change, limits = [], approvedCaps = [] }: Asked,
): Promise<BudgetRefusal | undefined> {
  const recordedAt = app.clock.now();
  const amountMicros = addedMicros(service, change);
  if (amountMicros > 0n) {
    const needed = monthlyCostCents(chargeOfChange(service, change).service);
    const refusal = await findNextMonthRefusal(tx, project, { change, needed, at: recordedAt });
    if (refusal !== undefined && !approvedCaps.includes(refusal.budget.subjectType)) return refusal;
  }
  return reserveInLimits(tx, change, { limits, amountMicros, at: recordedAt });
}

async function findNextMonthRefusal(
  tx: Tx,
  project: Project,
  {
    change: { serviceId, provider },
    needed,
    at,
  }: { readonly change: PlanChange; readonly needed: bigint; readonly at: Date },
): Promise<BudgetRefusal | undefined> {
  const nextMonth = periodOf(periodOf(at).end);
  const others: Service[] = [];
  for (const other of await listServicesInPlace(tx, project)) {
    if (other.serviceId !== serviceId) others.push(await withPlanAt(tx, other, nextMonth.start));
  }
  const costOf = (services: readonly Service[]) => services.reduce((sum, other) => sum + monthlyCostCents(other), 0n);
  const capOfProvider = providerCap(project, provider);
  const caps = [
    { ...projectCap(project), limitMicros: usdMicrosFromCents(project.monthlyCapCents), others },
    { ...capOfProvider, others: others.filter((other) => other.provider === provider) },
  ];
  for (const { limitMicros, others: counted, ...budget } of caps) {
    const usedMicros = usdMicrosFromCents(costOf(counted));
    if (limitMicros === null || usedMicros + usdMicrosFromCents(needed) <= limitMicros) continue;
    const resetsAt = nextMonth.end;
    const refusal = { outcome: "refused", limitMicros, usedMicros, resetsAt } as const;
    return { ...refusal, budget, alertSequence: null };
  }
  return undefined;
}

async function reserveInLimits(
  tx: Tx,
  change: PlanChange,
  amount: Omit<Parameters<typeof reserveLimits>[1], "cause">,
): Promise<BudgetRefusal | undefined> {
  const reserved = await reserveLimits(tx, { cause: { mode: change.mode, ...causeOf(change) }, ...amount });
  return typeof reserved === "object" ? reserved : undefined;
}

/** Returns what a scheduled change adds to the cost of each month. Zero for other changes, which have charges. */
function addedMicros(service: Service, change: PlanChange): UsdMicros {
  const changed = chargeOfChange(service, change).service;
  const added = monthlyCostCents(changed) - monthlyCostCents(service);
  return usdMicrosFromCents(change.timing === "scheduled" && added > 0n ? added : 0n);
}

function causeOf({ operationId }: Pick<PlanChange, "operationId">): Omit<ReservationCause, "mode"> {
  return { causeType: "operation", causeId: operationId };
}
