import type { Db } from "../db/database.ts";
import { chainPendingEntries } from "./link-pending.ts";
import { listChainsWithPending } from "./queries.ts";

const CHAINS_MAX = 100;

/**
 * Links what is pending in every chain, a chain's transactions after one another. A chain that cannot be linked, since
 * somebody has changed it, does not keep the others from it: the failure is thrown when all have had their turn.
 *
 * @returns how many entries were linked
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
