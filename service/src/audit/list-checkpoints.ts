import type { Db } from "../db/database.ts";
import { type ChainKey, type KeptCheckpoint, listKeptCheckpoints } from "./queries.ts";

export interface ListCheckpoints {
  readonly key: ChainKey;
  /** The last checkpoint of the page before. Undefined: from the newest on. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

export interface CheckpointPage {
  readonly checkpoints: readonly KeptCheckpoint[];
  readonly hasMore: boolean;
}

/** One page of what was stated about a chain, newest first, as the database has it. Proven is none of it: the signatures do that. */
export async function listCheckpoints(
  { db }: { readonly db: Db },
  { key, beforeSequence, limit }: ListCheckpoints,
): Promise<CheckpointPage> {
  const rows = await listKeptCheckpoints(db, key, { beforeSequence, limit: limit + 1 });
  return { checkpoints: rows.slice(0, limit), hasMore: rows.length > limit };
}
