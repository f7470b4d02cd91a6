import { itemsOf } from "../../db/pages.ts";
import type { ChainKey } from "../chains/queries.ts";
import { type CheckpointAccess, checkpointChain } from "./checkpoint.ts";
import { listDueChains } from "./queries.ts";

const CHAINS_MAX = 1_000;
const ENTRIES_MAX = 100;
const AGE_MAX_MS = 60_000;

export interface FailedAnchoring {
  readonly key: ChainKey;
  readonly error: unknown;
}

/**
 * Anchors each chain that has 100 unanchored entries, or that has any unanchored entry and was last anchored at least
 * 60 seconds ago. A new chain is anchored immediately. A chain that cannot be anchored does not block the others.
 *
 * @returns the chains that could not be anchored, with their errors
 */
export async function checkpointDue(access: CheckpointAccess): Promise<readonly FailedAnchoring[]> {
  const anchoredBefore = new Date(access.clock.now().getTime() - AGE_MAX_MS);
  const query = { entriesMin: ENTRIES_MAX, anchoredBefore, limit: CHAINS_MAX };
  const due = itemsOf<ChainKey>((after) => listDueChains(access.db, { ...query, after }));
  const failed: FailedAnchoring[] = [];
  for await (const key of due) {
    await checkpointChain(access, key).catch((error: unknown) => failed.push({ key, error }));
  }
  return failed;
}
