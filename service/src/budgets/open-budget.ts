import type { Tx } from "../db/database.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import { budgetIdOf, type NewBudget } from "./budget.ts";
import { budgetRows, insertBudget } from "./queries.ts";

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
    await insertBudget(tx, { ...key, ...row });
    return openBudget(tx, budget, periodStart);
  }
  const previous = existing.openedPeriodStart;
  if (previous !== null && previous >= periodStart) return previous;
  await budgetRows.update(tx, key, { openedPeriodStart: periodStart });
  return previous;
}
