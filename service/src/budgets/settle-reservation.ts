import type { Tx } from "../db/database.ts";
import type { UsdMicros } from "../foundation/money/usd-micros.ts";
import { alertOf, type Budget, type BudgetAlert, budgetIdOf } from "./budget.ts";
import { callRefundReservation, callSettleReservation } from "./queries.ts";

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

/**
 * Lowers what a committed reservation counts in one budget, because this part of the amount was paid back. Does nothing if
 * the reservation counts in an earlier period of the budget than the one at the given time. Other budgets do not change.
 * Locks the budget until the transaction ends.
 */
export async function refundReservation(
  tx: Tx,
  {
    budget,
    ...refund
  }: {
    readonly reservationId: string;
    readonly budget: Budget;
    /** At most what the reservation still counts. */
    readonly amountMicros: UsdMicros;
    readonly at: Date;
  },
): Promise<void> {
  await callRefundReservation(tx, { ...refund, budgetId: budgetIdOf(budget) });
}
