import { type CheckpointAccess, checkpointChain } from "./checkpoint.ts";
import { listUnanchoredChains } from "./queries.ts";

const CHAINS_MAX = 1_000;
const ENTRIES_MAX = 100;
const AGE_MAX_MS = 60_000;

/**
 * Anchors the chains that are due: 100 entries after their last checkpoint, or once it is 60 seconds old. A chain that was
 * never anchored is due at once. One chain that cannot be anchored does not keep the others from it.
 *
 * @returns how many of the due chains could not be anchored
 */
export async function checkpointDue(access: CheckpointAccess): Promise<number> {
  const nowMs = access.clock.now().getTime();
  const chains = await listUnanchoredChains(access.db, CHAINS_MAX);
  const due = chains.filter(
    ({ sequence, anchoredSequence, anchoredAt }) =>
      sequence - (anchoredSequence ?? 0) >= ENTRIES_MAX ||
      anchoredAt === null ||
      nowMs - anchoredAt.getTime() >= AGE_MAX_MS,
  );
  let failed = 0;
  for (const { tenantId, chain } of due) {
    await checkpointChain(access, { tenantId, chain }).catch(() => {
      failed += 1;
    });
  }
  return failed;
}
