import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { settleReservation } from "../../budgets/queries.ts";
import type { Tx } from "../../db/database.ts";
import { invariant } from "../../foundation/invariant.ts";
import { usdMicrosFromCents } from "../../foundation/money/usd-micros.ts";
import { recordCapAlerts } from "../projects/record-cap-change.ts";
import { type Charge, chargeRows } from "./queries.ts";
import { chargeEntry, recordCharge } from "./record-charge.ts";

/**
 * Commits a reserved charge at its final amount, in the month in which it was reserved. If Purser bills it, it is then
 * `pending` until its invoice is paid. The caller must have locked the charge.
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
