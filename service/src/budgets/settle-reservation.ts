import type { Tx } from "../db/database.ts";
import type { UsdMicros } from "../foundation/money/usd-micros.ts";
import { alertOf, type BudgetAlert } from "./budget.ts";
import { callSettleReservation } from "./queries.ts";

/**
 * Commits a reservation at the given amount, or releases it if the amount is null, in the periods in which it was
 * reserved. The amount can be lower than the reserved one, or higher if the cost is owed already. Returns undefined if
 * the reservation was settled before. The caller writes the events about the returned alerts in the same transaction.
 */
export async function settleReservation(
  tx: Tx,
  settlement: {
    readonly reservationId: string;
    readonly committedMicros: UsdMicros | null;
    readonly at: Date;
  },
): Promise<readonly BudgetAlert[] | undefined> {
  const result = await callSettleReservation(tx, settlement);
  return result.outcome === "settled" ? result.alerts.map(alertOf) : undefined;
}
