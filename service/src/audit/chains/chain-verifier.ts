import pLimit from "p-limit";
import type { ChainKey } from "./queries.ts";
import { type ChainFindings, type VerifyAccess, type VerifyFrom, verifyChain } from "./verify.ts";

/** A verification can read a hundred thousand entries, so only a few run at the same time. */
const AT_ONCE_MAX = 2;

/**
 * Verifies at most two chains at the same time. A call for a chain whose verification is still queued shares its result:
 * that verification starts after the call, so it includes the caller's own last change.
 */
export function createChainVerifier(
  access: VerifyAccess,
): (key: ChainKey, since?: VerifyFrom) => Promise<ChainFindings> {
  const waiting = new Map<string, Promise<ChainFindings>>();
  const limit = pLimit(AT_ONCE_MAX);

  return (key, since = "start") => {
    const name = `${key.tenantId} ${key.chain} ${since}`;
    const known = waiting.get(name);
    if (known !== undefined) return known;
    const run = limit(() => {
      waiting.delete(name);
      return verifyChain(access, key, since);
    });
    waiting.set(name, run);
    return run;
  };
}
