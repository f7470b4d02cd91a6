import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { findHeldReservation, settleReservation } from "../../../budgets/queries.ts";
import type { BudgetRefusal } from "../../../budgets/reserve-budgets.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import { formatUsdMicros, type UsdMicros, usdMicros, usdMicrosFromCents } from "../../../foundation/money.ts";
import { type AgreedPlan, agreedPriceOf, reservedCents } from "../../catalog/plans.ts";
import { openMonths } from "../../charges/open-months.ts";
import { lockReservedCharges } from "../../charges/queries.ts";
import { type ReserveCharge, reserveCharge } from "../../charges/reserve-charge.ts";
import { releaseCharge } from "../../charges/settle-charge.ts";
import { reserveLimits } from "../../policies/policy-limits.ts";
import { capExceeded } from "../../projects/caps.ts";
import type { Project } from "../../projects/queries.ts";
import { periodOf } from "../../projects/usage.ts";
import { lockOwnProject, type ProvisioningContext } from "./provisioning-context.ts";

/**
 * Reserves the plan's monthly cost against the caps of the project and of the provider, and against `limits`. Returns the
 * first limit or cap that is too small, with the project, or undefined. Throws `conflict` if the project is not active. The
 * caller must commit the transaction even if a cap is too small, because an event was written.
 */
export async function reserveService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  provisioning: ProvisioningContext,
  { limits = [], approvedCaps = [] }: Pick<ReserveCharge, "limits" | "approvedCaps">,
): Promise<{ readonly refusal: BudgetRefusal; readonly project: Project } | undefined> {
  const project = await lockActiveProject(tx, provisioning);
  const at = app.clock.now();
  const price = agreedPriceOf(provisioning);
  const amountCents = reservedCents(price);
  if (amountCents === 0n) {
    const cause = { mode: provisioning.mode, ...causeOf(provisioning) };
    const reserved = await reserveLimits(tx, { cause, amountMicros: usdMicros(0n), limits, at });
    return typeof reserved === "object" ? { refusal: reserved, project } : undefined;
  }
  const month = periodOf(await openMonths(tx, app, actor, project));
  const service = { ...provisioning, ...price };
  const reserved = await reserveCharge(tx, actor, project, {
    ...{ service, month, amountCents, recordedAt: at, isOwed: false },
    ...{ limits, approvedCaps },
  });
  return typeof reserved === "string" ? undefined : { refusal: reserved, project };
}

/** Locks and returns the service's project. Throws `conflict` if it is not active. */
export async function lockActiveProject(
  tx: Tx,
  provisioning: Pick<ProvisioningContext, "tenantId" | "mode" | "projectId">,
): Promise<Project> {
  const project = await lockOwnProject(tx, provisioning);
  const { status } = project;
  if (status === "active") return project;
  const detail = `The project is ${status}. Services can be added and changed in active projects only.`;
  throw new AppError("conflict", { detail });
}

/** Returns what is reserved for the service each month. */
export function monthlyCostOf(provisioning: AgreedPlan): UsdMicros {
  return usdMicrosFromCents(reservedCents(agreedPriceOf(provisioning)));
}

/** Returns the error for a plan whose cost exceeds a cap. */
export function serviceExceedsCap(refusal: BudgetRefusal, provisioning: ProvisioningContext): AppError {
  const price = formatUsdMicros(monthlyCostOf(provisioning));
  return capExceeded(refusal, `This plan costs ${price} USD per month. Raise the cap, or remove a service.`);
}

/** Commits what `reserveLimits` has reserved, or releases it. Returns true if there was anything. */
export async function settleLimits(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  cause: Parameters<typeof findHeldReservation>[1],
  committedMicros: UsdMicros | null,
): Promise<boolean> {
  const reservationId = await findHeldReservation(tx, cause);
  if (reservationId === undefined) return false;
  await settleReservation(tx, { reservationId, committedMicros, at: clock.now() });
  return true;
}

/** Commits what was reserved for a service without cost, or releases it. Returns true if there was anything. */
export async function settleFreeService(
  tx: Tx,
  app: Pick<App, "clock">,
  provisioning: Pick<ProvisioningContext, "tenantId" | "serviceId">,
  end: "commit" | "release",
): Promise<boolean> {
  const cause = { tenantId: provisioning.tenantId, ...causeOf(provisioning) };
  return settleLimits(tx, app, cause, end === "commit" ? usdMicros(0n) : null);
}

function causeOf({ serviceId }: Pick<ProvisioningContext, "serviceId">) {
  return { causeType: "service", causeId: serviceId };
}

/** Releases the service's charges. Returns true if there were any. */
export async function releaseReservation(
  tx: Tx,
  app: Pick<App, "clock">,
  provisioning: Pick<ProvisioningContext, "tenantId" | "serviceId">,
): Promise<boolean> {
  const charges = await lockReservedCharges(tx, provisioning);
  for (const charge of charges) await releaseCharge(tx, app, charge);
  return (await settleFreeService(tx, app, provisioning, "release")) || charges.length > 0;
}
