import type { Tx } from "../../../../db/database.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { monthlyPriceCents } from "../choose-offer.ts";
import { findOffer } from "../find-offer.ts";
import { lockServiceById } from "../queries.ts";
import type { Addition } from "./addition.ts";

/** The catalog still offers what was asked for, at the price that was reserved. Throws `conflict`. */
export async function checkOffer(
  tx: Tx,
  addition: Pick<Addition, "tenantId" | "serviceId">,
): Promise<void> {
  const service = await lockServiceById(tx, addition);
  const offer = findOffer(service);
  if (offer !== undefined && monthlyPriceCents(offer.plan) === service.priceCents) return;
  const detail = "The catalog does not offer this plan at this price any more.";
  throw new AppError("conflict", { detail });
}
