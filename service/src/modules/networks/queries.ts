import type { Db, Tx } from "../../db/database.ts";
import type { Row, SeenBlock } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";

export type NetworkCursor = Row<"networkCursors">;

/** How far the chains of the networks in use have been read. */
export const networkCursorRows = tableOf("networkCursors", ["network"]);

/** Moves the cursor to a block. Returns false if another process has moved it, or if the network is stopped. */
export async function moveCursor(
  tx: Tx,
  { network, blockHash }: Pick<NetworkCursor, "network" | "blockHash">,
  {
    recentBlocks,
    ...block
  }: Pick<NetworkCursor, "blockNumber" | "blockHash"> & {
    readonly recentBlocks: readonly SeenBlock[];
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("networkCursors")
    .set({ ...block, recentBlocks: JSON.stringify(recentBlocks) })
    .where("network", "=", network)
    .where("blockHash", "=", blockHash)
    .where("stoppedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export function listCursors(db: Db): Promise<NetworkCursor[]> {
  return db.selectFrom("networkCursors").selectAll().orderBy("network").execute();
}

/** Returns false if another process checks the balances. */
export async function claimBalanceCheck(
  tx: Tx,
  { network, balancesCheckedAt }: Pick<NetworkCursor, "network" | "balancesCheckedAt">,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("networkCursors")
    .set({ balancesCheckedAt: at })
    .where("network", "=", network)
    .where("balancesCheckedAt", "=", balancesCheckedAt)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
