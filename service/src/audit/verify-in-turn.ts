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
  const turns: (() => void)[] = [];
  let underWay = 0;

  async function verifyInTurn(
    key: ChainKey,
    since: VerifyFrom,
    name: string,
  ): Promise<ChainFindings> {
    if (underWay < AT_ONCE_MAX) underWay += 1;
    // Whoever ends hands their place over.
    else await new Promise<void>((resolve) => turns.push(resolve));
    waiting.delete(name);
    try {
      return await verifyChain(access, key, since);
    } finally {
      const next = turns.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  }

  return (key, since = "start") => {
    const name = `${key.tenantId} ${key.chain} ${since}`;
    const known = waiting.get(name);
    if (known !== undefined) return known;
    const run = Promise.resolve().then(() => verifyInTurn(key, since, name));
    waiting.set(name, run);
    return run;
  };
}
