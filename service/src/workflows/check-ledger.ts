import type { App } from "../app.ts";
import { systemActor } from "../audit/actors.ts";
import { appendAuditEntry } from "../audit/append.ts";
import { listWrongBudgets, type WrongBudget } from "../budgets/queries.ts";
import type { Tx } from "../db/database.ts";
import { withSnapshot } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { tryEach } from "../foundation/try-each.ts";
import { checkBalances } from "../ledger/check/check-balances.ts";
import { type BalanceDifference, claimCheck, type DueCheck, dueChecks } from "../ledger/check/queries.ts";

const INTERVAL_MS = 3_600_000;

/**
 * Checks the balances and budgets of each tenant that was last checked an hour ago or earlier. The tenant that has waited for
 * longest comes first. A tenant that cannot be checked does not block the others.
 */
export async function checkLedger(app: Pick<App, "db" | "clock" | "log">): Promise<void> {
  const before = new Date(app.clock.now().getTime() - INTERVAL_MS);
  await tryEach(dueChecks(app.db, before), (due) => checkTenant(app, { due, before }));
}

async function checkTenant(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  { due: { tenantId, checkedAt }, before }: { readonly due: DueCheck; readonly before: Date },
): Promise<void> {
  const at = clock.now();
  const { differences, budgets } = await withSnapshot(db, tenantId, async (tx) => {
    if (!(await claimCheck(tx, { tenantId, before, at }))) return { differences: [], budgets: [] };
    const found = await checkBalances(tx, { tenantId, isWhole: false });
    for (const difference of found) await recordDifference(tx, { tenantId, difference, at });
    // A change can commit after a check whose time is later than the change's time, but not an hour after.
    const changedSince = new Date(checkedAt.getTime() - INTERVAL_MS);
    const wrong = await listWrongBudgets(tx, { tenantId, changedSince });
    for (const budget of wrong) await recordWrongBudget(tx, { tenantId, budget, at });
    return { differences: found, budgets: wrong };
  });
  for (const budget of budgets) {
    log.error(
      { tenant: tenantId, ...factsOf(budget) },
      "a budget differs from its reservations: operator action required",
    );
  }
  for (const { accountId, asset, number, expected, found } of differences) {
    log.error(
      {
        tenant: tenantId,
        account: accountId,
        asset,
        number,
        expected: `${expected}`,
        found: `${found}`,
      },
      "a balance differs from the sum of its transfers: operator action required",
    );
  }
}

async function recordWrongBudget(
  tx: Tx,
  { tenantId, budget, at }: { readonly tenantId: TenantId; readonly budget: WrongBudget; readonly at: Date },
): Promise<void> {
  const mode = budget.mode ?? "live";
  await appendAuditEntry(tx, systemActor({ tenantId, mode }), {
    action: "budget.difference_found",
    subject: { type: "budget", id: budget.budgetId },
    facts: factsOf(budget),
    occurredAt: at,
  });
}

function factsOf({ budgetId, periodStart, ...amounts }: WrongBudget): Record<string, string | null> {
  const { heldMicros, spentMicros, reservedMicros, committedMicros } = amounts;
  return {
    budget_id: budgetId,
    period_start: periodStart.toISOString(),
    held: heldMicros === null ? null : `${heldMicros}`,
    held_expected: `${reservedMicros}`,
    spent: spentMicros === null ? null : `${spentMicros}`,
    spent_expected: `${committedMicros}`,
  };
}

interface RecordDifference {
  readonly tenantId: TenantId;
  readonly difference: BalanceDifference;
  readonly at: Date;
}

async function recordDifference(
  tx: Tx,
  { tenantId, difference: { accountId, mode, asset, number, expected, found }, at }: RecordDifference,
): Promise<void> {
  await appendAuditEntry(tx, systemActor({ tenantId, mode }), {
    action: "ledger.difference_found",
    subject: accountId === null ? { type: "developer", id: tenantId } : { type: "ledger_account", id: accountId },
    facts: { asset, number, expected: `${expected}`, found: found === null ? null : `${found}` },
    occurredAt: at,
  });
}
