import pLimit from "p-limit";
import type { ChainKey } from "./queries.ts";
import { type ChainVerification, type VerifyAccess, type VerifyFrom, verifyChain } from "./verify.ts";

/** A verification can read a hundred thousand entries, so only two run concurrently. */
const CONCURRENT_MAX = 2;

/**
 * Returns a function that verifies chains, at most two at the same time. If the same verification is queued but has not
 * started, the function returns the result of the queued verification. That verification will include all entries that
 * were committed before the call.
 */
export function createChainVerifier(
  access: VerifyAccess,
): (key: ChainKey, since?: VerifyFrom) => Promise<ChainVerification> {
  const waiting = new Map<string, Promise<ChainVerification>>();
  const limit = pLimit(CONCURRENT_MAX);

  return (key, since = "start") => {
    const name = `${key.tenantId} ${key.chain} ${since}`;
    const queued = waiting.get(name);
    if (queued !== undefined) return queued;
    const run = limit(() => {
      waiting.delete(name);
      return verifyChain(access, key, since);
    });
    waiting.set(name, run);
    return run;
  };
}
