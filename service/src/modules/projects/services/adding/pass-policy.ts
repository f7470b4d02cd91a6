import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { AppError } from "../../../../foundation/errors.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { passStep } from "../../../../operations/track-operation.ts";
import { reserveCharge } from "../../charges/reserve-charge.ts";
import type { Project } from "../../queries.ts";
import { reservedCents } from "../choose-offer.ts";
import { findOffer } from "../find-offer.ts";
import { lockServiceById } from "../queries.ts";
import type { Addition } from "./addition.ts";
import { lockOwnProject } from "./lock-own-project.ts";
import { refusalOf, type StepVerdict } from "./verdict.ts";

/** The policy, as far as there is one: the project takes services, and the budget has room, which is reserved. */
export async function passPolicy(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  { serviceId, ...place }: Pick<Addition, "serviceId" | "projectId" | "mode">,
): Promise<StepVerdict> {
  const { tenantId } = key;
  const project = await lockOwnProject(tx, { tenantId, ...place });
  const service = await lockServiceById(tx, { tenantId, serviceId });
  const refused = await refusalOf(async () => {
    refuseUnlessActive(project);
    const offer = findOffer(service);
    if (offer !== undefined) {
      await reserveCharge(tx, app, { project, service, amountCents: reservedCents(offer.plan) });
    }
  });
  const step = { step: "policy", next: "catalog_validation" };
  if (refused === null) await passStep(tx, app, key, step);
  return { refused };
}

function refuseUnlessActive({ status }: Project): void {
  if (status !== "active") throw new AppError("conflict", { detail: `The project is ${status}.` });
}
