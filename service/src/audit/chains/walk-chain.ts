import type { Db } from "../../db/database.ts";
import { type ChainedEntry, listChainedEntries } from "../entries/queries.ts";
import { auditHash, type ChainHead } from "./chain.ts";
import type { ChainKey } from "./queries.ts";

export interface ChainBreak {
  readonly sequence: number;
  readonly reason: "hash_mismatch" | "prev_hash_mismatch" | "sequence_gap" | "missing_entry";
  readonly expected: string | null;
  readonly actual: string | null;
}

export interface WalkResult {
  /** The last entry before the first break, or the chain's last entry if there is no break. */
  readonly end: ChainHead;
  readonly brokenAt: ChainBreak | null;
}

const PAGE_SIZE = 1_000;

/** Recomputes a chain's hashes page by page, starting after a verified entry and ending at the first break. */
export async function walkChain(db: Db, key: ChainKey, from: ChainHead): Promise<WalkResult> {
  let end = from;
  for (;;) {
    const page = await listChainedEntries(db, key, {
      afterSequence: end.sequence,
      limit: PAGE_SIZE,
    });
    for (const entry of page) {
      const brokenAt = findBreak(end, entry);
      if (brokenAt !== null) return { end, brokenAt };
      end = { sequence: entry.sequence, hash: entry.hash };
    }
    if (page.length < PAGE_SIZE) return { end, brokenAt: null };
  }
}

function findBreak(before: ChainHead, entry: ChainedEntry): ChainBreak | null {
  const { sequence, prevHash, hash, record } = entry;
  const broken = (reason: ChainBreak["reason"], expected: string | null, actual: string | null): ChainBreak => ({
    sequence: before.sequence + 1,
    reason,
    expected,
    actual,
  });

  if (sequence !== before.sequence + 1) {
    return broken("sequence_gap", String(before.sequence + 1), String(sequence));
  }
  if (record === null) return broken("missing_entry", entry.auditId, null);
  if (prevHash !== before.hash) return broken("prev_hash_mismatch", before.hash, prevHash);
  const expected = auditHash(record, { sequence, prevHash });
  return expected === hash ? null : broken("hash_mismatch", expected, hash);
}
