import { AppError } from "../../../../foundation/errors.ts";
import { findOfferedPlan } from "../find-offered-plan.ts";
import { monthlyPriceCents } from "../resolve-plan.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/** Throws `conflict` if the catalog no longer offers the plan at the price stored with the service. */
export function checkPlan(
  provisioning: Pick<ProvisioningContext, "service" | "plan" | "priceCents">,
): void {
  const offer = findOfferedPlan(provisioning);
  if (offer !== undefined && String(monthlyPriceCents(offer.plan)) === provisioning.priceCents)
    return;
  const detail =
    "The catalog no longer offers this plan at this price. Read the catalog and repeat the call.";
  throw new AppError("conflict", { detail });
}
