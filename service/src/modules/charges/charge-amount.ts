import { parseUsdMicros } from "../../foundation/money.ts";
import type { MeteredUsage } from "../../ports/service-provider.ts";
import type { CatalogPlan } from "../catalog/catalog.ts";
import { findOfferedPlan, type PricedService, priceOf, reservedCents, withPlan } from "../catalog/plans.ts";
import { type Period, periodOf } from "../projects/usage.ts";
import type { Charge, ChargedService } from "./queries.ts";

const DAY_MS = 24 * 3_600_000;

/** Returns the amount to reserve for a service each month. */
export function monthlyCostCents(service: PricedService): bigint {
  return reservedCents(priceOf(service));
}

/** Returns the plan if its use is metered. */
export function findMeteredPlan(service: Pick<PricedService, "service" | "plan">): CatalogPlan | undefined {
  const plan = findOfferedPlan(service)?.plan;
  return plan?.pricing.type === "usage" ? plan : undefined;
}

/**
 * Returns what a monthly price amounts to in the part of a month in which the service was in place. With the proration
 * `daily`, each started day counts; with `none`, the whole month. An estimate of metered use is always prorated, because the
 * service was not used later. The price is what was reserved for the month, because the catalog's price can have changed
 * since.
 */
export function proratedCents(
  service: PricedService & Pick<ChargedService, "createdAt">,
  priceCents: bigint,
  { start, end, monthEnd, isMetered = false }: Period & { readonly monthEnd: Date; readonly isMetered?: boolean },
): bigint {
  if (!isMetered && !isProratedDaily(service)) return priceCents;
  const from = new Date(Math.max(start.getTime(), service.createdAt.getTime()));
  return ceilDivide(priceCents * startedDays(from, end), startedDays(start, monthEnd));
}

/** Returns whether the plan's fixed price is prorated. False if the catalog no longer offers the plan. */
export function isProratedDaily(service: Pick<PricedService, "service" | "plan">): boolean {
  return findOfferedPlan(service)?.plan.proration === "daily";
}

function startedDays(from: Date, to: Date): bigint {
  return BigInt(Math.ceil(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS));
}

/** Returns the service with the plan that the charge is for. If it is an earlier one, at the catalog's price. */
export function withPlanOf<Priced extends PricedService>(
  service: Priced,
  { plan }: { readonly plan: string | null },
): Priced {
  return plan === null || plan === service.plan ? service : withPlan(service, plan);
}

/**
 * Returns what a change of plan costs in addition for the rest of the month: the difference of the monthly costs, for the
 * started days that are left if the new plan is prorated daily. Zero if the new plan costs less. Metered use of the
 * former plan is charged separately. `changed` is the service with the new plan. `keptCents`: what fixed prices cost this
 * month already. It is more than the former plan costs after a downgrade that frees nothing before the month ends.
 */
export function upgradeCents(
  service: PricedService,
  changed: PricedService,
  { at, keptCents }: { readonly at: Date; readonly keptCents: bigint },
): bigint {
  const replacesMetered = findMeteredPlan(service) !== undefined && findMeteredPlan(changed) === undefined;
  const formerCents = replacesMetered ? 0n : monthlyCostCents(service);
  const difference = monthlyCostCents(changed) - (keptCents > formerCents ? keptCents : formerCents);
  if (difference <= 0n || !isProratedDaily(changed)) return difference > 0n ? difference : 0n;
  const { start, end } = periodOf(at);
  return ceilDivide(difference * startedDays(at, end), startedDays(start, end));
}

/** Returns the sum of the charges that are not for metered use. */
export function fixedCents(charges: readonly Pick<Charge, "type" | "amountCents">[]): bigint {
  return charges.reduce((sum, { type, amountCents }) => (type === "usage" ? sum : sum + amountCents), 0n);
}

/**
 * Returns what a change to a cheaper plan changes about the cost of the month: the difference, for the whole days that are
 * left. Zero or negative. Zero if the former plan is not prorated, or if a plan is metered.
 */
export function downgradeCents(service: PricedService, changed: PricedService, at: Date): bigint {
  const isMetered = findMeteredPlan(service) !== undefined || findMeteredPlan(changed) !== undefined;
  if (isMetered || !isProratedDaily(service)) return 0n;
  const restCents = restOfMonthCents(monthlyCostCents(changed), at);
  const { start, end } = periodOf(at);
  const freedCents = (monthlyCostCents(service) * startedDays(nextDay(at), end)) / startedDays(start, end);
  return restCents < freedCents ? restCents - freedCents : 0n;
}

/** Returns what a monthly cost amounts to in the whole days that are left of the month, rounded up. */
export function restOfMonthCents(costCents: bigint, at: Date): bigint {
  const { start, end } = periodOf(at);
  return ceilDivide(costCents * startedDays(nextDay(at), end), startedDays(start, end));
}

/** Returns the start of the first day (UTC) that has not started. */
export function nextDay(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS);
}

/**
 * Returns the price of metered use in whole cents, rounded up once. Undefined if the plan has no price for a metered
 * quantity, because the sum would then be too low.
 */
export function meteredCostCents({ pricing }: CatalogPlan, usage: readonly MeteredUsage[]): bigint | undefined {
  const prices = new Map(pricing.usage?.map(({ metric, unit_price }) => [metric, unit_price]));
  let numerator = 0n;
  let denominator = 1n;
  for (const { metric, quantity, quantityPerUnit } of usage) {
    const price = parseUsdMicros(prices.get(metric) ?? "");
    if (price === undefined) return undefined;
    numerator = numerator * quantityPerUnit + quantity * price * denominator;
    denominator *= quantityPerUnit;
  }
  return ceilDivide(numerator, denominator * 10_000n);
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Describes a charge in one line, for example `neon/postgres, plan launch, 2026-11`. */
export function describeCharge({ service, plan }: Pick<PricedService, "service" | "plan">, { start }: Period): string {
  return `${service}, plan ${plan}, ${start.toISOString().slice(0, 7)}`;
}
