import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { moveCharges } from "../../charges/queries.ts";
import { reserveCharge } from "../../charges/reserve-charge.ts";
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
  await reserveCharge(tx, app, { project, service: provisioning, amountCents });
}

/**
 * Changes the charge for a monthly price from `reserved` to `pending`. An amount reserved for metered use stays
 * `reserved` until it is billed.
 */
export async function makeChargePending(
  tx: Tx,
  provisioning: Pick<
    ProvisioningContext,
    "tenantId" | "serviceId" | "projectId" | "mode" | "priceCents"
  >,
): Promise<void> {
  if (provisioning.priceCents === "0") return;
  await lockOwnProject(tx, provisioning);
  await moveCharges(tx, provisioning, { from: "reserved", to: "pending" });
}

/** Releases the service's charges. Returns true if there were any. */
export async function releaseReservation(
  tx: Tx,
  provisioning: Pick<ProvisioningContext, "tenantId" | "serviceId">,
): Promise<boolean> {
  const reserved = await moveCharges(tx, provisioning, { from: "reserved", to: "released" });
  const pending = await moveCharges(tx, provisioning, { from: "pending", to: "released" });
  return reserved + pending > 0;
}
