import type { Db } from "../../db/database.ts";
import { chainPendingEntries } from "./chain-pending-entries.ts";
import { listChainsWithPending } from "./queries.ts";

const CHAINS_MAX = 100;

/**
 * Links the pending entries of every chain, one transaction of a chain at a time. A chain that was tampered with and cannot
 * be linked does not block the others: its error is thrown after all chains were processed.
 *
 * @returns the number of linked entries
 */
export async function chainAllPendingEntries({ db }: { readonly db: Db }): Promise<number> {
  const failures: unknown[] = [];
  let linked = 0;
  for (const key of await listChainsWithPending(db, CHAINS_MAX)) {
    try {
      linked += await chainPendingEntries(db, key);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} audit chains could not be linked`);
  }
  return linked;
}
