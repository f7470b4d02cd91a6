import { parseUsdMicros } from "../../../foundation/money/usd-micros.ts";
import type { MeteredUsage } from "../../../ports/service-provider.ts";
import type { CatalogPlan } from "../catalog.ts";
import { findOfferedPlan } from "../services/find-offered-plan.ts";
import type { Service } from "../services/queries.ts";
import { reservedCents } from "../services/resolve-plan.ts";
import type { Period } from "../usage.ts";

const DAY_MS = 24 * 3_600_000;

type PricedService = Pick<Service, "service" | "plan" | "priceCents">;

/** Returns the amount to reserve for a service each month. If the catalog no longer offers the plan, its stored price. */
export function monthlyCostCents(service: PricedService): bigint {
  const offer = findOfferedPlan(service);
  return offer === undefined ? service.priceCents : reservedCents(offer.plan);
}

/** Returns the plan if its use is metered. */
export function findMeteredPlan(service: PricedService): CatalogPlan | undefined {
  const plan = findOfferedPlan(service)?.plan;
  return plan?.pricing.type === "usage" ? plan : undefined;
}

/**
 * Returns what a monthly price amounts to in the part of a month in which the service was in place. With the proration
 * `daily`, each started day counts; with `none`, the whole month. The price is what was reserved for the month, because
 * the catalog's price can have changed since.
 */
export function proratedCents(
  service: PricedService & Pick<Service, "createdAt">,
  priceCents: bigint,
  { start, end, monthEnd }: Period & { readonly monthEnd: Date },
): bigint {
  if (findOfferedPlan(service)?.plan.proration !== "daily") return priceCents;
  const from = Math.max(start.getTime(), service.createdAt.getTime());
  const days = Math.ceil(end.getTime() / DAY_MS) - Math.floor(from / DAY_MS);
  const daysInMonth = (monthEnd.getTime() - start.getTime()) / DAY_MS;
  return ceilDivide(priceCents * BigInt(days), BigInt(daysInMonth));
}

/**
 * Returns the price of metered use in whole cents, rounded up once. Undefined if the plan has no price for a metered
 * quantity, because the sum would then be too low.
 */
export function meteredCostCents(
  { pricing }: CatalogPlan,
  usage: readonly MeteredUsage[],
): bigint | undefined {
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
export function describeCharge({ service, plan }: PricedService, { start }: Period): string {
  return `${service}, plan ${plan}, ${start.toISOString().slice(0, 7)}`;
}
