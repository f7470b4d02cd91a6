import { AppError } from "../../../../foundation/errors.ts";
import { monthlyPriceCents } from "../choose-offer.ts";
import { findOffer } from "../find-offer.ts";
import type { Addition } from "./addition.ts";

/** The catalog still offers what was asked for, at the price that was reserved. Throws `conflict`. */
export function checkOffer(addition: Pick<Addition, "service" | "plan" | "priceCents">): void {
  const offer = findOffer(addition);
  if (offer !== undefined && String(monthlyPriceCents(offer.plan)) === addition.priceCents) return;
  const detail = "The catalog does not offer this plan at this price any more.";
  throw new AppError("conflict", { detail });
}
