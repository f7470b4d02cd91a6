import type { Db } from "../db/database.ts";
import { AppError } from "../foundation/errors.ts";
import type { ChainHead } from "./chain.ts";
import { type ChainKey, findFirstUnanchored } from "./queries.ts";

/** For how long a chain may grow without the anchor, where what it tells of can wait. */
const UNANCHORED_MAX_MS = 24 * 3_600_000;

/**
 * Throws `service_unavailable` where the anchor has not taken the chain's entries for a day: until then somebody with power
 * over the database could unmake them unseen. Asked under the lock of the chain's head.
 */
export async function requireAnchoring(
  db: Db,
  key: ChainKey,
  { head, at }: { readonly head: ChainHead; readonly at: Date },
): Promise<void> {
  if (head.sequence === 0) return;
  const first = await findFirstUnanchored(db, key);
  if (first === undefined || first.getTime() > at.getTime() - UNANCHORED_MAX_MS) return;
  throw new AppError("service_unavailable", {
    internal: `${key.tenantId} ${key.chain} has not been anchored since ${first.toISOString()}`,
    retryAfterSeconds: 60,
  });
}
