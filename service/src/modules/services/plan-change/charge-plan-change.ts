import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { invariant } from "../../../foundation/invariant.ts";
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
import { openMonths, reserveMonth } from "../../charges/open-months.ts";
import { type Charge, hasReservedCharge, lockReservedCharge, lockReservedCharges } from "../../charges/queries.ts";
import { type ReserveCharge, reserveCharge } from "../../charges/reserve-charge.ts";
import { endCharge, releaseCharge } from "../../charges/settle-charge.ts";
import type { Project } from "../../projects/queries.ts";
import { periodOf } from "../../projects/usage.ts";
import type { Service } from "../queries.ts";
import type { PlanChange } from "./plan-change.ts";
import { planChangeRows } from "./queries.ts";
import { chargeOfChange } from "./reserve-plan-change.ts";

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
export async function chargePlanChange(
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
export async function replaceMonth(
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
