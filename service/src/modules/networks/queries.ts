import type { Updateable } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { Row, Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";

export type NetworkCursor = Row<"networkCursors">;

/** How far the chains of the networks in use have been read. */
export const networkCursorRows = tableOf("networkCursors", ["network"]);

/** Changes a cursor. Returns false if another process has moved it since it was read, or if its network is stopped. */
export async function moveCursor(
  tx: Tx,
  { network, blockHash, finalHash }: NetworkCursor,
  change: Updateable<Schema["networkCursors"]>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("networkCursors")
    .set(change)
    .where((row) => row.and({ network, blockHash, finalHash }))
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
    .where((row) => row.and({ network, balancesCheckedAt }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
