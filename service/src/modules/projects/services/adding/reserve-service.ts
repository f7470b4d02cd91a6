import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { moveCharges } from "../../charges/queries.ts";
import { reserveCharge } from "../../charges/reserve-charge.ts";
import { reservedCents } from "../choose-offer.ts";
import { findOffer } from "../find-offer.ts";
import { lockServiceById } from "../queries.ts";
import type { Addition } from "./addition.ts";
import { lockOwnProject } from "./lock-own-project.ts";

/**
 * The policy, as far as there is one: the project takes services, and the budget has room, which is reserved. Throws
 * `conflict` and `cap_exceeded`.
 */
export async function reserveService(
  tx: Tx,
  app: Pick<App, "clock">,
  addition: Pick<Addition, "tenantId" | "serviceId" | "projectId" | "mode">,
): Promise<void> {
  const project = await lockOwnProject(tx, addition);
  const service = await lockServiceById(tx, addition);
  const { status } = project;
  if (status !== "active") throw new AppError("conflict", { detail: `The project is ${status}.` });
  const offer = findOffer(service);
  if (offer === undefined) return;
  await reserveCharge(tx, app, { project, service, amountCents: reservedCents(offer.plan) });
}

/** What a plan costs a month is owed from here on; what is set aside for use stays reserved until the use is billed. */
export async function oweReservation(
  tx: Tx,
  addition: Pick<Addition, "tenantId" | "serviceId" | "projectId" | "mode" | "hasPrice">,
): Promise<void> {
  if (!addition.hasPrice) return;
  await lockOwnProject(tx, addition);
  await moveCharges(tx, addition, { from: "reserved", to: "pending" });
}

/** Gives back what is reserved or owed for the service. False: nothing was. */
export async function releaseReservation(
  tx: Tx,
  addition: Pick<Addition, "tenantId" | "serviceId">,
): Promise<boolean> {
  const reserved = await moveCharges(tx, addition, { from: "reserved", to: "released" });
  const owed = await moveCharges(tx, addition, { from: "pending", to: "released" });
  return reserved + owed > 0;
}
