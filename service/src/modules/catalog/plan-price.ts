import type { Row } from "../../db/schema.ts";
import { parseDecimal } from "../../foundation/money.ts";
import type { Biller } from "../../foundation/vocabulary.ts";
import { type CatalogPlan, isReleased } from "./catalog.ts";
import { findOfferedPlan } from "./find-offered-plan.ts";

/** What a plan costs each month, and who bills it. */
export interface PlanPrice {
  /** The fixed price, without metered use. */
  readonly priceCents: bigint;
  /** The expected cost of metered use. Zero unless it is higher than the price. */
  readonly preauthorizationCents: bigint;
  readonly billedBy: Biller;
}

/** A service with its plan, and the price that was agreed when it got the plan. */
export type PricedService = Pick<
  Row<"services">,
  "service" | "plan" | "priceCents" | "preauthorizationCents" | "billedBy"
>;

/** A plan and the price that was agreed for it. The amounts are strings in checkpoints, because JSON has no bigint. */
export interface AgreedPlan extends Omit<PricedService, "priceCents" | "preauthorizationCents"> {
  readonly priceCents: bigint | string;
  readonly preauthorizationCents: bigint | string;
}

/** Returns the price that was agreed. */
export function agreedPriceOf({ priceCents, preauthorizationCents, billedBy }: AgreedPlan): PlanPrice {
  return { priceCents: BigInt(priceCents), preauthorizationCents: BigInt(preauthorizationCents), billedBy };
}

/** Returns the price that the catalog shows for a plan. */
export function catalogPriceOf(plan: CatalogPlan): PlanPrice {
  const { pricing, preauthorization_amount: estimate = "0", billed_by: billedBy } = plan;
  const priceCents = pricing.type === "free" ? 0n : parseDecimal(pricing.amount ?? "0", 2);
  if (priceCents === undefined) throw new Error("a catalog price has more than two decimals");
  const estimateCents = parseDecimal(estimate, 2) ?? 0n;
  const preauthorizationCents = estimateCents > priceCents ? estimateCents : 0n;
  return { priceCents, preauthorizationCents, billedBy };
}

/**
 * Returns what a service costs: the price that was agreed when it got its plan, because a provider can change its catalog
 * at any time. If the vendor bills a plan whose entry is part of Purser, the price in this release, because the vendor charges that.
 */
export function priceOf(service: PricedService): PlanPrice {
  const agreed = agreedPriceOf(service);
  if (agreed.billedBy === "purser" || !isReleased(service.service)) return agreed;
  const offer = findOfferedPlan(service);
  return offer === undefined ? agreed : { ...catalogPriceOf(offer.plan), billedBy: "vendor" };
}

/** Returns what is reserved each month: the fixed price, or the expected cost of metered use if that is higher. */
export function reservedCents({ priceCents, preauthorizationCents }: Omit<PlanPrice, "billedBy">): bigint {
  return preauthorizationCents > priceCents ? preauthorizationCents : priceCents;
}

/** Returns the service with another plan, at the catalog's price. If the catalog does not offer it, at the service's. */
export function withPlan<Priced extends PricedService>(service: Priced, plan: string): Priced {
  const offer = findOfferedPlan({ ...service, plan });
  return { ...service, plan, ...(offer && catalogPriceOf(offer.plan)) };
}

/** Returns the monthly cost of the service and that of a new one, if the provider has changed the price of the plan. */
export function findPriceChange(
  service: PricedService,
): { readonly agreedCents: bigint; readonly currentCents: bigint } | undefined {
  const offer = findOfferedPlan(service);
  if (offer === undefined) return undefined;
  const agreedCents = reservedCents(priceOf(service));
  const currentCents = reservedCents(catalogPriceOf(offer.plan));
  return agreedCents === currentCents ? undefined : { agreedCents, currentCents };
}
