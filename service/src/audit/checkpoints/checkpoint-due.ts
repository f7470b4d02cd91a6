import type { ChainKey } from "../chains/queries.ts";
import { type CheckpointAccess, checkpointChain } from "./checkpoint.ts";
import { listDueChains } from "./queries.ts";

const CHAINS_MAX = 1_000;
const ENTRIES_MAX = 100;
const AGE_MAX_MS = 60_000;

/** A chain that could not be anchored, with the error. */
export interface FailedAnchoring {
  readonly key: ChainKey;
  readonly error: unknown;
}

/**
 * Anchors the chains that are due: 100 entries after their last checkpoint, or once it is 60 seconds old. A chain that was
 * never anchored is due immediately. A chain that cannot be anchored does not block the others.
 *
 * @returns the due chains that could not be anchored
 */
export async function checkpointDue(access: CheckpointAccess): Promise<readonly FailedAnchoring[]> {
  const due = await listDueChains(access.db, {
    entriesMin: ENTRIES_MAX,
    anchoredBefore: new Date(access.clock.now().getTime() - AGE_MAX_MS),
    limit: CHAINS_MAX,
  });
  const failed: FailedAnchoring[] = [];
  for (const key of due) {
    await checkpointChain(access, key).catch((error: unknown) => failed.push({ key, error }));
  }
  return failed;
}
