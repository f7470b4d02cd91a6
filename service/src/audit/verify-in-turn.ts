import pLimit from "p-limit";
import type { ChainKey } from "./queries.ts";
import { type ChainFindings, type VerifyAccess, type VerifyFrom, verifyChain } from "./verify.ts";

/** So that verifications, each of which may read a hundred thousand entries, leave the database to others. */
const AT_ONCE_MAX = 2;

/**
 * Verifies chains, two at a time however many ask. Who asks for a chain whose verification waits for its turn is told what
 * that one finds: it begins after they have asked, so it sees their own last change.
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
