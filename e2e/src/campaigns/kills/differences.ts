import { listWrongBudgets } from "@purser/service/budgets/queries.ts";
import type { Db } from "@purser/service/db/database.ts";
import { withSnapshot, withTransaction } from "@purser/service/db/transaction.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { checkBalances } from "@purser/service/ledger/check/check-balances.ts";

/** Describes each balance that differs from its transfers, and each budget that differs from its reservations. */
export async function wrongSums(db: Db, tenantIds: readonly TenantId[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const tenantId of tenantIds) {
    const balances = await withSnapshot(db, tenantId, (tx) => checkBalances(tx, { tenantId, isWhole: true }));
    const budgets = await withTransaction(db, tenantId, (tx) =>
      listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }),
    );
    const texts = [...balances, ...budgets].map((difference) =>
      JSON.stringify(difference, (_name, value) => (typeof value === "bigint" ? `${value}` : value)),
    );
    wrong.push(...texts);
  }
  return wrong;
}

/** Describes each item that was not found as often as expected. */
export function differencesOf(
  kind: string,
  { found, expected }: { readonly found: readonly string[]; readonly expected: readonly string[] },
): string[] {
  const [foundCounts, expectedCounts] = [countsOf(found), countsOf(expected)];
  return [...new Set([...found, ...expected])]
    .map((item) => ({
      item,
      found: foundCounts.get(item) ?? 0,
      expected: expectedCounts.get(item) ?? 0,
    }))
    .filter((counts) => counts.found !== counts.expected)
    .map((counts) => `${kind} ${counts.item}: found ${counts.found}, expected ${counts.expected}`);
}

/** Throws if there is a difference. */
export function requireNoDifferences(differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw new Error(`${differences.length} differences: ${differences.slice(0, 10).join("; ")}`);
}

function countsOf(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
