import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { lockReservedCharges } from "../../charges/queries.ts";
import { reserveCharge } from "../../charges/reserve-charge.ts";
import { releaseCharge } from "../../charges/settle-charge.ts";
import { findOfferedPlan } from "../find-offered-plan.ts";
import { reservedCents } from "../resolve-plan.ts";
import { lockOwnProject } from "./lock-own-project.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/**
 * Reserves the plan's price against the caps of the project and of the provider. Throws `conflict` if the project is
 * not active, and `cap_exceeded` if a cap would be exceeded.
 */
export async function reserveService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  provisioning: ProvisioningContext,
): Promise<void> {
  const project = await lockOwnProject(tx, provisioning);
  const { status } = project;
  if (status !== "active") {
    const detail = `The project is ${status}. Services can be added to active projects only.`;
    throw new AppError("conflict", { detail });
  }
  const offer = findOfferedPlan(provisioning);
  if (offer === undefined) return;
  const amountCents = reservedCents(offer.plan);
  const service = { ...provisioning, priceCents: BigInt(provisioning.priceCents) };
  await reserveCharge(tx, app, actor, { project, service, amountCents });
}

/** Releases the service's charges. Returns true if there were any. */
export async function releaseReservation(
  tx: Tx,
  app: Pick<App, "clock">,
  provisioning: Pick<ProvisioningContext, "tenantId" | "serviceId">,
): Promise<boolean> {
  const charges = await lockReservedCharges(tx, provisioning);
  for (const charge of charges) await releaseCharge(tx, app, charge);
  return charges.length > 0;
}
