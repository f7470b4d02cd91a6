import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { passStep } from "../../../../operations/track-operation.ts";
import { monthlyPriceCents } from "../choose-offer.ts";
import { findOffer } from "../find-offer.ts";
import { lockServiceById } from "../queries.ts";
import type { Addition } from "./addition.ts";
import { PASSED, refusedFor, type StepVerdict } from "./verdict.ts";

/** The catalog still offers what was asked for, at the price that was reserved. */
export async function passCatalogValidation(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  { serviceId }: Pick<Addition, "serviceId">,
): Promise<StepVerdict> {
  const service = await lockServiceById(tx, { tenantId: key.tenantId, serviceId });
  const offer = findOffer(service);
  if (offer === undefined || monthlyPriceCents(offer.plan) !== service.priceCents) {
    return refusedFor("conflict", "The catalog does not offer this plan at this price any more.");
  }
  await passStep(tx, app, key, { step: "catalog_validation", next: "payment_setup" });
  return PASSED;
}
