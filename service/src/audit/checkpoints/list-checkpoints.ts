import type { Db } from "../../db/database.ts";
import type { ChainKey } from "../chains/queries.ts";
import { listStoredCheckpoints, type StoredCheckpoint } from "./queries.ts";

export interface ListCheckpoints {
  readonly key: ChainKey;
  /** The sequence number of the previous page's last checkpoint. Undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

export interface CheckpointPage {
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly hasMore: boolean;
}

/** Returns one page of a chain's checkpoints, newest first, as stored. Does not verify their signatures. */
export async function listCheckpoints(
  { db }: { readonly db: Db },
  { key, beforeSequence, limit }: ListCheckpoints,
): Promise<CheckpointPage> {
  const rows = await listStoredCheckpoints(db, key, { beforeSequence, limit: limit + 1 });
  return { checkpoints: rows.slice(0, limit), hasMore: rows.length > limit };
}
