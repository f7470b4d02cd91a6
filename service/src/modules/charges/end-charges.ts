import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { Project } from "../projects/queries.ts";
import { findMeteredPlan, monthlyCostCents, proratedCents, withPlanOf } from "./charge-amount.ts";
import { openMonths } from "./open-months.ts";
import { type Charge, type ChargedService, chargeRows, hasReservedCharge, lockReservedCharges } from "./queries.ts";
import { releaseCharge, settleCharge } from "./settle-charge.ts";

/**
 * Ends the current month's charge of a service that is being removed. A fixed price is settled at once. Metered use is
 * settled later (`settleDueCharges`), because the vendor reports it with a delay. A service without a resource costs
 * nothing, and neither does a month that has just begun. The caller must have locked the project.
 */
export async function endCharges(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { project, service }: { readonly project: Project; readonly service: ChargedService },
): Promise<void> {
  // A free service can have had another plan before.
  if (monthlyCostCents(service) === 0n && !(await hasReservedCharge(tx, service))) return;
  const end = await openMonths(tx, app, actor, project);
  // The job that settles an earlier month locks its charge before the budget, which is already locked here.
  for (const charge of await lockReservedCharges(tx, service, end)) {
    if (service.providerResourceId === null) await releaseCharge(tx, app, charge);
    else await endCharge(tx, app, actor, { service, charge, end });
  }
}

/**
 * Ends a service's charge at `end`. A fixed price is settled at once, metered use later. A charge that begins only then is
 * released.
 */
export async function endCharge(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { service, charge, end }: { readonly service: ChargedService; readonly charge: Charge; readonly end: Date },
): Promise<void> {
  if (charge.periodStart >= end) return releaseCharge(tx, app, charge);
  const ended = await chargeRows.updateAndGet(tx, charge, { periodEnd: end });
  const planned = withPlanOf(service, charge);
  if (charge.type === "usage" || findMeteredPlan(planned) !== undefined) return;
  const period = { start: charge.periodStart, end, monthEnd: charge.periodEnd };
  const amountCents = proratedCents(planned, charge.amountCents, period);
  await settleCharge(tx, app, actor, { charge: ended, amountCents, estimated: false });
}
