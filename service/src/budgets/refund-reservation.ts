import type { Tx } from "../db/database.ts";
import type { UsdMicros } from "../foundation/money/usd-micros.ts";
import { type Budget, budgetIdOf } from "./budget.ts";
import { callRefundReservation } from "./queries.ts";

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
