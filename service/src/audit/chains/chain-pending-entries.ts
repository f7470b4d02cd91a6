import type { Db } from "../../db/database.ts";
import { itemsOf } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { auditHash } from "./chain.ts";
import {
  type ChainEntryHashes,
  type ChainKey,
  insertChainedEntries,
  listChainsWithPending,
  listPending,
  lockHead,
} from "./queries.ts";

const BATCH_MAX = 500;
const CHAINS_MAX = 100;
/** How many chains are extended at once. Each uses one of the few connections of the jobs. */
const CONCURRENT_CHAINS = 2;

/**
 * Adds every tenant's pending entries to their chains. If this fails for a chain, for example because the chain was
 * tampered with, the error is thrown after all other chains have been processed.
 *
 * @returns the number of added entries
 */
export async function chainAllPendingEntries({ db }: { readonly db: Db }): Promise<number> {
  const failures: unknown[] = [];
  let added = 0;
  const chains = itemsOf<ChainKey>((after) => listChainsWithPending(db, { after, limit: CHAINS_MAX }));
  const chainEach = async () => {
    for await (const key of chains) {
      try {
        // Not `added += await`, which would lose what the other loop adds meanwhile.
        const entries = await chainPendingEntries(db, key);
        added += entries;
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CHAINS }, chainEach));
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} audit chains could not be extended`);
  }
  return added;
}

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

/**
 * Adds the pending entries to the chain, so that the next read returns every committed entry. Adding entries can fail
 * if the chain was tampered with. The error is then returned and not thrown, because the caller can still read or
 * verify the chain.
 *
 * @returns the error if the entries could not be added
 */
export async function chainEntriesIfPossible(db: Db, key: ChainKey): Promise<unknown> {
  try {
    await chainPendingEntries(db, key);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return error;
  }
}
