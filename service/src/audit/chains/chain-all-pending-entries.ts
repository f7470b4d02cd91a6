import type { Db } from "../../db/database.ts";
import { itemsOf } from "../../db/pages.ts";
import { chainPendingEntries } from "./chain-pending-entries.ts";
import { type ChainKey, listChainsWithPending } from "./queries.ts";

const CHAINS_MAX = 100;
/** How many chains are extended at once. Each uses one of the few connections of the jobs. */
const CONCURRENT_CHAINS = 2;

/**
 * Adds every tenant's pending entries to their chains. If this fails for a chain, for example because the chain was
 * tampered with, the error is thrown after all other chains have been processed.
 *
 * @returns the number of added entries
 */
export async function chainAllPendingEntries({ db }: { readonly db: Db }): Promise<number> {
  const failures: unknown[] = [];
  let added = 0;
  const chains = itemsOf<ChainKey>((after) => listChainsWithPending(db, { after, limit: CHAINS_MAX }));
  const chainEach = async () => {
    for await (const key of chains) {
      try {
        // Not `added += await`, which would lose what the other loop adds meanwhile.
        const entries = await chainPendingEntries(db, key);
        added += entries;
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CHAINS }, chainEach));
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} audit chains could not be extended`);
  }
  return added;
}
