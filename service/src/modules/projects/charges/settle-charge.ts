import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { settleReservation } from "../../../budgets/settle-reservation.ts";
import type { Tx } from "../../../db/database.ts";
import { recordEntryAndEvent } from "../../../events/record-entry-and-event.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { usdMicrosFromCents } from "../../../foundation/money/usd-micros.ts";
import { presentCharge } from "./charge-resource.ts";
import { type Charge, updateCharge } from "./queries.ts";
import { recordCapAlerts } from "./record-cap-change.ts";

/**
 * Commits a reserved charge at what the vendor bills, in the month in which it was reserved. The caller must have locked
 * the charge.
 */
export async function settleCharge(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  {
    charge,
    amountCents,
    estimated,
  }: {
    readonly charge: Charge;
    readonly amountCents: bigint;
    /** True if the vendor did not report the amount. */
    readonly estimated: boolean;
  },
): Promise<void> {
  const at = clock.now();
  const committedMicros = usdMicrosFromCents(amountCents);
  const alerts = await settle(tx, charge, { committedMicros, at });
  const settled = await updateCharge(tx, charge, {
    status: "succeeded",
    amountCents,
    estimated,
  });
  const resource = presentCharge(settled);
  const { chargeId, projectId, serviceId } = charge;
  const facts = {
    project_id: projectId,
    service_id: serviceId,
    amount: resource.amount,
    estimated,
    period_start: resource.period_start,
    period_end: resource.period_end,
  };
  const subject = { type: "charge", id: chargeId };
  const entry = { action: "charge.succeeded", subject, facts, occurredAt: at };
  await recordEntryAndEvent(tx, actor, entry, () => resource);
  await recordCapAlerts(tx, actor, charge, { alerts, at });
}

/** Releases a reserved charge, because nothing was bought. The caller must have locked the charge. */
export async function releaseCharge(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  charge: Charge,
): Promise<void> {
  await settle(tx, charge, { committedMicros: null, at: clock.now() });
  await updateCharge(tx, charge, { status: "released" });
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
