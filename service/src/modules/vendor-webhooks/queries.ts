import { type Selectable, sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";

type Row = Selectable<Schema["vendorEvents"]>;

/** An object of a vendor. */
export type VendorObject = Pick<Row, "vendor" | "mode" | "objectType" | "objectId">;

/** Stores an event. Does nothing if it arrived before. */
export async function insertVendorEvent(db: Db, event: Omit<Row, "attempts" | "processedAt">): Promise<void> {
  await db
    .insertInto("vendorEvents")
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the objects whose events are due, the longest due first. */
export async function listDueObjects(
  db: Db,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<VendorObject[]> {
  return db
    .selectFrom("vendorEvents")
    .select(["vendor", "mode", "objectType", "objectId"])
    .where("processedAt", "is", null)
    .where("nextAttemptAt", "<=", at)
    .groupBy(["vendor", "mode", "objectType", "objectId"])
    .orderBy(({ fn }) => fn.min("nextAttemptAt"))
    .orderBy("objectId")
    .limit(limit)
    .execute();
}

/**
 * Claims the due events of an object and returns their ids. They are due again after a pause that doubles with every
 * attempt, from 30 seconds to an hour. Another process that claims them meanwhile gets none.
 */
export async function claimEvents(
  db: Db,
  { vendor, mode, objectType, objectId, at }: VendorObject & { readonly at: Date },
): Promise<string[]> {
  const claimed = await db
    .updateTable("vendorEvents")
    .set({
      attempts: sql<number>`attempts + 1`,
      nextAttemptAt: sql<Date>`${at}::timestamptz + least(30 * 2 ^ attempts, 3600) * interval '1 second'`,
    })
    .where("vendor", "=", vendor)
    .where("mode", "=", mode)
    .where("objectType", "=", objectType)
    .where("objectId", "=", objectId)
    .where("processedAt", "is", null)
    .where("nextAttemptAt", "<=", at)
    .returning("eventId")
    .execute();
  return claimed.map(({ eventId }) => eventId);
}

export async function markProcessed(
  db: Db,
  {
    vendor,
    mode,
    eventIds,
    at,
  }: Pick<VendorObject, "vendor" | "mode"> & {
    readonly eventIds: readonly string[];
    readonly at: Date;
  },
): Promise<void> {
  await db
    .updateTable("vendorEvents")
    .set({ processedAt: at })
    .where("vendor", "=", vendor)
    .where("mode", "=", mode)
    .where("eventId", "in", eventIds)
    .execute();
}
