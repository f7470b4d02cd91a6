import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { formatUsdMicros, usdMicrosFromCents } from "../../../../foundation/money/usd-micros.ts";
import { capExceeded } from "../../charges/cap-exceeded.ts";
import { openMonths } from "../../charges/open-months.ts";
import { lockReservedCharges } from "../../charges/queries.ts";
import { recordCapBlocked } from "../../charges/record-cap-change.ts";
import { reserveCharge } from "../../charges/reserve-charge.ts";
import { releaseCharge } from "../../charges/settle-charge.ts";
import { periodOf } from "../../usage.ts";
import { findOfferedPlan } from "../find-offered-plan.ts";
import { reservedCents } from "../resolve-plan.ts";
import { lockOwnProject } from "./lock-own-project.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/**
 * Reserves the plan's monthly cost against the caps of the project and of the provider. Throws `conflict` if the project is
 * not active, and `cap_exceeded` if a cap would be exceeded, whatever the project's `cap_behavior` is. The caller must
 * commit the transaction even if this function throws `cap_exceeded`, because it has written an event.
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
  if (amountCents === 0n) return;
  const month = periodOf(await openMonths(tx, app, actor, project));
  const at = app.clock.now();
  const service = { ...provisioning, priceCents: BigInt(provisioning.priceCents) };
  const command = { service, month, amountCents, recordedAt: at, isOwed: false };
  const reserved = await reserveCharge(tx, actor, project, command);
  if (typeof reserved === "string") return;
  const amountMicros = usdMicrosFromCents(amountCents);
  const cause = { type: "service", id: provisioning.serviceId };
  await recordCapBlocked(tx, actor, project, { refusal: reserved, amountMicros, cause, at });
  const price = formatUsdMicros(amountMicros);
  const advice = `This plan costs ${price} USD per month. Raise the cap, or remove a service.`;
  throw capExceeded(reserved, advice);
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
