import { AppError } from "../../../../foundation/errors.ts";
import { findOfferedPlan } from "../find-offered-plan.ts";
import { monthlyPriceCents } from "../resolve-plan.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/** The catalog still offers what was asked for, at the price that was reserved. Throws `conflict`. */
export function checkPlan(
  provisioning: Pick<ProvisioningContext, "service" | "plan" | "priceCents">,
): void {
  const offer = findOfferedPlan(provisioning);
  if (offer !== undefined && String(monthlyPriceCents(offer.plan)) === provisioning.priceCents)
    return;
  const detail = "The catalog does not offer this plan at this price any more.";
  throw new AppError("conflict", { detail });
}
