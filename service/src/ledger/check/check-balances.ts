import type { Tx } from "../../db/database.ts";
import type { TenantId } from "../../foundation/ids.ts";
import {
  type BalanceDifference,
  checkedSumRows,
  countTransfers,
  listDifferences,
  moneyCheckRows,
  saveCountedIn,
  type TransferPlace,
} from "./queries.ts";

const TRANSFERS_MAX = 5_000;
const DIFFERENCES_MAX = 100;

/**
 * Compares the balances of all accounts of the tenant with their transfers. Adds only the transfers since the last
 * check to the stored sums, unless the check is whole. `tx` must be a transaction of `withSnapshot`.
 *
 * @returns the differences, at most 100
 */
export async function checkBalances(
  tx: Tx,
  { tenantId, isWhole }: { readonly tenantId: TenantId; readonly isWhole: boolean },
): Promise<readonly BalanceDifference[]> {
  const check = isWhole ? undefined : await moneyCheckRows.find(tx, { tenantId });
  const countedIn = check?.countedIn ?? null;
  if (countedIn === null) await checkedSumRows.remove(tx, { tenantId });
  await countNewTransfers(tx, tenantId, countedIn);
  await saveCountedIn(tx, tenantId);
  const differences = await listDifferences(tx, tenantId, DIFFERENCES_MAX);
  // The stored sums can be wrong themselves. After a restore of a dump, transaction ids start again, so the stored
  // snapshot no longer shows which transfers were counted.
  if (differences.length > 0 && countedIn !== null) {
    return checkBalances(tx, { tenantId, isWhole: true });
  }
  return differences;
}

async function countNewTransfers(tx: Tx, tenantId: TenantId, countedIn: string | null): Promise<void> {
  let previous: TransferPlace | undefined;
  do {
    previous = await countTransfers(tx, { tenantId, countedIn, previous, limit: TRANSFERS_MAX });
  } while (previous !== undefined);
}
