import type { Tx } from "../db/database.ts";
import type { UsdMicros } from "../foundation/money/usd-micros.ts";
import { alertOf, type Budget, type BudgetAlert, budgetIdOf } from "./budget.ts";
import { callSetBudgetLimits } from "./queries.ts";

/**
 * Changes the limits of those of the given budgets that exist. A new limit can be lower than the amounts held and spent.
 * The caller writes the events about the returned alerts in the same transaction.
 */
export async function setBudgetLimits(
  tx: Tx,
  limits: readonly (Budget & { readonly limitMicros: UsdMicros | null })[],
  at: Date,
): Promise<readonly BudgetAlert[]> {
  const lines = limits.map(({ limitMicros, ...budget }) => ({
    budget_id: budgetIdOf(budget),
    limit_micros: limitMicros === null ? null : String(limitMicros),
  }));
  return (await callSetBudgetLimits(tx, lines, at)).map(alertOf);
}
