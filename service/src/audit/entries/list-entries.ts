import type { Db } from "../../db/database.ts";
import { chainEntriesIfPossible } from "../chains/chain-pending-entries.ts";
import { type ChainKey, findLastChainedEntry } from "../chains/queries.ts";
import { type EntryFilter, type ExistingEntry, listNewestEntries } from "./queries.ts";

/** Maximum number of entries scanned per call. It limits the cost of a call, however long the chain is. */
const SCANNED_MAX = 20_000;

export interface ListEntries {
  readonly key: ChainKey;
  readonly filter: EntryFilter;
  /** The `nextBeforeSequence` of the previous page. Undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
  readonly scannedMax?: number;
}

export interface EntryPage {
  readonly entries: readonly ExistingEntry[];
  /** The `beforeSequence` to pass for the next page. Null on the last page. */
  readonly nextBeforeSequence: number | null;
}

/**
 * Returns one page of a chain's entries, newest first. Before the first page, adds pending entries to the chain if
 * possible. A page that is short or empty is not always the last one: if the filter matches few entries, the call stops
 * after scanning `scannedMax` entries.
 */
export async function listEntries(
  { db }: { readonly db: Db },
  { key, filter, beforeSequence, limit, scannedMax = SCANNED_MAX }: ListEntries,
): Promise<EntryPage> {
  const before = beforeSequence ?? (await findEnd(db, key));
  const fromSequence = Math.max(1, before - scannedMax);
  const window = { fromSequence, beforeSequence: before, limit: limit + 1 };
  const found = await listNewestEntries(db, key, window, filter);
  const entries = found.slice(0, limit);
  const hasMore = found.length > limit;
  const reached = hasMore ? (entries.at(-1)?.sequence ?? fromSequence) : fromSequence;
  return { entries, nextBeforeSequence: reached > 1 ? reached : null };
}

async function findEnd(db: Db, key: ChainKey): Promise<number> {
  await chainEntriesIfPossible(db, key);
  const last = await findLastChainedEntry(db, key);
  return (last?.sequence ?? 0) + 1;
}
