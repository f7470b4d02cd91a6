import { AppError } from "../../../foundation/errors.ts";
import { type AgreedPlan, agreedPriceOf, catalogPriceOf, findOfferedPlan, reservedCents } from "../../catalog/plans.ts";

/** Throws `conflict` if the catalog no longer offers the plan at the price that was agreed. */
export function checkPlan(plan: AgreedPlan): void {
  const [agreed, current] = [agreedPriceOf(plan), currentPriceOf(plan)];
  const isSame =
    agreed.priceCents === current?.priceCents &&
    agreed.preauthorizationCents === current.preauthorizationCents &&
    agreed.billedBy === current.billedBy;
  if (!isSame) throw priceChanged();
}

/** Throws `conflict` if the catalog no longer offers the plan for what was agreed, or for less. */
export function checkPlanCostsNoMore(plan: AgreedPlan): void {
  const [agreed, current] = [agreedPriceOf(plan), currentPriceOf(plan)];
  const costsNoMore =
    current !== undefined &&
    current.priceCents <= agreed.priceCents &&
    reservedCents(current) <= reservedCents(agreed) &&
    current.billedBy === agreed.billedBy;
  if (!costsNoMore) throw priceChanged();
}

function currentPriceOf(plan: AgreedPlan) {
  const offer = findOfferedPlan(plan);
  return offer && catalogPriceOf(offer.plan);
}

function priceChanged(): AppError {
  const detail = "The catalog no longer offers this plan at this price. Read the catalog and repeat the call.";
  return new AppError("conflict", { detail });
}
