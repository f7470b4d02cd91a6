import type { Insertable } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";

/** Stores an event. Returns false if it arrived before. */
export async function insertVendorEvent(tx: Tx, event: Insertable<Schema["vendorEvents"]>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto("vendorEvents")
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}
