import type { Db } from "../../db/database.ts";
import { type ListedPage, readPage } from "../../db/pages.ts";
import type { ChainKey } from "../chains/queries.ts";
import { listStoredCheckpoints, type StoredCheckpoint } from "./queries.ts";

export interface ListCheckpoints {
  readonly key: ChainKey;
  /** The sequence number of the previous page's last checkpoint. Undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

/** Returns one page of a chain's checkpoints, newest first, as stored. Does not verify their signatures. */
export function listCheckpoints(
  { db }: { readonly db: Db },
  { key, beforeSequence, limit }: ListCheckpoints,
): Promise<ListedPage<StoredCheckpoint>> {
  return readPage(limit, (max) => listStoredCheckpoints(db, key, { beforeSequence, limit: max }));
}
