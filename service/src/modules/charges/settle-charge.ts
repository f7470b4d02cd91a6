import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { settleReservation } from "../../budgets/queries.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { invariant } from "../../foundation/invariant.ts";
import { usdMicrosFromCents } from "../../foundation/money.ts";
import { recordCapAlerts } from "../projects/caps.ts";
import type { Project } from "../projects/queries.ts";
import { findMeteredPlan, monthlyCostCents, proratedCents, withPlanOf } from "./charge-amount.ts";
import { presentCharge } from "./charges.ts";
import { openMonths } from "./open-months.ts";
import { type Charge, type ChargedService, chargeRows, hasReservedCharge, lockReservedCharges } from "./queries.ts";

/** Writes the audit entry and the event for a charge that was paid, declined or refunded. */
export async function recordCharge(
  tx: Tx,
  actor: Actor,
  action: "charge.succeeded" | "charge.failed" | "charge.refunded",
  { charge, at }: { readonly charge: Charge; readonly at: Date },
): Promise<void> {
  const entry = chargeEntry(action, charge, at);
  await recordEntryAndEvent(tx, actor, entry, () => presentCharge(charge));
}

/** Returns the audit entry for a change of a charge. */
export function chargeEntry<Action extends string>(action: Action, charge: Charge, occurredAt: Date) {
  const { amount, period_start, period_end } = presentCharge(charge);
  const { chargeId, projectId, serviceId, estimated } = charge;
  return {
    action,
    subject: { type: "charge", id: chargeId },
    facts: {
      project_id: projectId,
      service_id: serviceId,
      ...{ amount, estimated, period_start, period_end },
    },
    occurredAt,
  };
}

interface SettleCharge {
  readonly charge: Charge;
  readonly amountCents: bigint;
  /** True if the vendor did not report the amount. */
  readonly estimated: boolean;
}

/**
 * Commits a reserved charge at its final amount, in the month in which it was reserved. If Purser bills it, it is then
 * `pending` until its invoice is paid. The caller must have locked the charge.
 */
export async function settleCharge(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { charge, amountCents, estimated }: SettleCharge,
): Promise<void> {
  const at = clock.now();
  const committedMicros = usdMicrosFromCents(amountCents);
  const alerts = await settle(tx, charge, { committedMicros, at });
  // What Purser bills is paid with the month's invoice.
  const isInvoiced = charge.billedBy === "purser" && amountCents > 0n;
  const settled = await chargeRows.updateAndGet(tx, charge, {
    status: isInvoiced ? "pending" : "succeeded",
    amountCents,
    estimated,
  });
  if (isInvoiced) {
    await appendAuditEntry(tx, actor, chargeEntry("charge.settled", settled, at));
  } else {
    await recordCharge(tx, actor, "charge.succeeded", { charge: settled, at });
  }
  await recordCapAlerts(tx, actor, charge, { alerts, at });
}

/** Releases a reserved charge, because nothing was bought. The caller must have locked the charge. */
export async function releaseCharge(tx: Tx, { clock }: Pick<App, "clock">, charge: Charge): Promise<void> {
  await settle(tx, charge, { committedMicros: null, at: clock.now() });
  await chargeRows.update(tx, charge, { status: "released" });
}

async function settle(
  tx: Tx,
  { reservationId }: Charge,
  settlement: Omit<Parameters<typeof settleReservation>[1], "reservationId">,
) {
  invariant(reservationId !== null, "a reserved charge has a reservation");
  const alerts = await settleReservation(tx, { reservationId, ...settlement });
  invariant(alerts !== undefined, "the reservation of a reserved charge is held");
  return alerts;
}

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
