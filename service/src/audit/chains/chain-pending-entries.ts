import type { Db } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { auditHash } from "./chain.ts";
import {
  type ChainedHashes,
  type ChainKey,
  insertChainedEntries,
  listPending,
  lockHead,
} from "./queries.ts";

const BATCH_MAX = 500;

/**
 * Links every committed entry of the chain. Each batch locks the head's row, so any number of chainers can run at the same
 * time and the chain never forks.
 *
 * @returns the number of linked entries
 */
export async function chainPendingEntries(db: Db, key: ChainKey): Promise<number> {
  let linked = 0;
  for (;;) {
    const batch = await linkBatch(db, key);
    linked += batch;
    if (batch < BATCH_MAX) return linked;
  }
}

async function linkBatch(db: Db, key: ChainKey): Promise<number> {
  return withTransaction(db, key.tenantId, async (tx) => {
    let head = await lockHead(tx, key);
    const records = await listPending(tx, key, BATCH_MAX);
    const links = records.map((record): ChainedHashes => {
      const place = { sequence: head.sequence + 1, prevHash: head.hash };
      const link = { ...place, auditId: record.auditId, hash: auditHash(record, place) };
      head = link;
      return link;
    });
    await insertChainedEntries(tx, key, links);
    return links.length;
  });
}
