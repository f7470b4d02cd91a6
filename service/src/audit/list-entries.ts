import type { Db } from "../db/database.ts";
import { chainEntriesIfPossible } from "./link-if-possible.ts";
import {
  type ActiveEntry,
  type ChainKey,
  type EntryFilter,
  findLastLink,
  listNewestEntries,
} from "./queries.ts";

/** How many entries one call looks at, whatever it looks for: so that it costs the same in a trail of any length. */
const LOOKED_AT_MAX = 20_000;

export interface ListEntries {
  readonly key: ChainKey;
  readonly filter: EntryFilter;
  /** Where the page before ended. Undefined: from the newest on. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
  readonly lookedAtMax?: number;
}

export interface EntryPage {
  readonly entries: readonly ActiveEntry[];
  /** Where the next page begins. Null once the chain's beginning was reached. */
  readonly nextBeforeSequence: number | null;
}

/**
 * One page of a chain's entries, newest first, the caller's own last change among them. A filter that matches little may
 * give a page that is short, or empty, and not the last: it goes as far back as one call looks.
 */
export async function listEntries(
  { db }: { readonly db: Db },
  { key, filter, beforeSequence, limit, lookedAtMax = LOOKED_AT_MAX }: ListEntries,
): Promise<EntryPage> {
  const before = beforeSequence ?? (await findEnd(db, key));
  const fromSequence = Math.max(1, before - lookedAtMax);
  const window = { fromSequence, beforeSequence: before, limit: limit + 1 };
  const found = await listNewestEntries(db, key, window, filter);
  const entries = found.slice(0, limit);
  const hasMore = found.length > limit;
  const reached = hasMore ? (entries.at(-1)?.sequence ?? fromSequence) : fromSequence;
  return { entries, nextBeforeSequence: reached > 1 ? reached : null };
}

async function findEnd(db: Db, key: ChainKey): Promise<number> {
  await chainEntriesIfPossible(db, key);
  const last = await findLastLink(db, key);
  return (last?.sequence ?? 0) + 1;
}
