import type { Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import { moneyCheckRows } from "../ledger/check/queries.ts";
import { budgetIdOf, type NewBudget } from "./budget.ts";
import { budgetRows } from "./queries.ts";

/**
 * Opens a period of a budget, and creates the budget if it is missing. Locks it until the transaction ends. Returns the
 * start of the period that was open before, or null if there was none. Never moves the open period back.
 */
export async function openBudget(
  tx: Tx,
  budget: NewBudget & { readonly tenantId: TenantId; readonly mode: Mode },
  periodStart: Date,
): Promise<Date | null> {
  const key = { tenantId: budget.tenantId, budgetId: budgetIdOf(budget) };
  const existing = await budgetRows.lock(tx, key);
  if (existing === undefined) {
    const { mode, subjectType, subjectId, name, period, limitMicros } = budget;
    const row = { mode, subjectType, subjectId, name, period, limitMicros, hasAlerts: true };
    await budgetRows.insertIfNew(tx, { ...key, ...row });
    // The hourly check compares the budgets of the tenant from now on.
    await moneyCheckRows.insertIfNew(tx, { tenantId: budget.tenantId, checkedAt: new Date(0) });
    return openBudget(tx, budget, periodStart);
  }
  const previous = existing.openedPeriodStart;
  if (previous !== null && previous >= periodStart) return previous;
  await budgetRows.update(tx, key, { openedPeriodStart: periodStart });
  return previous;
}
