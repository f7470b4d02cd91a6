import type { Db } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { auditHash } from "./chain.ts";
import { type ChainEntryHashes, type ChainKey, insertChainedEntries, listPending, lockHead } from "./queries.ts";

const BATCH_MAX = 500;

/**
 * Adds all pending entries to the chain. Each batch locks the chain's head, so the chain cannot fork if several
 * processes do this at the same time.
 *
 * @returns the number of added entries
 */
export async function chainPendingEntries(db: Db, key: ChainKey): Promise<number> {
  let added = 0;
  for (;;) {
    const batch = await chainBatch(db, key);
    added += batch;
    if (batch < BATCH_MAX) return added;
  }
}

async function chainBatch(db: Db, key: ChainKey): Promise<number> {
  return withTransaction(db, key.tenantId, async (tx) => {
    let head = await lockHead(tx, key);
    const records = await listPending(tx, key, BATCH_MAX);
    const chained = records.map((record): ChainEntryHashes => {
      const position = { sequence: head.sequence + 1, prevHash: head.hash };
      const entry = { ...position, auditId: record.auditId, hash: auditHash(record, position) };
      head = entry;
      return entry;
    });
    await insertChainedEntries(tx, key, chained);
    return chained.length;
  });
}
