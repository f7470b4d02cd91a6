import type { ExpressionBuilder } from "kysely";
import type { Tx } from "../db/database.ts";
import type { Row, Schema } from "../db/schema.ts";
import { tableOf } from "../db/table.ts";
import { updateWhere } from "../db/where.ts";

export type IdempotencyRecord = Row<"idempotencyRecords">;

export type RecordKey = Pick<IdempotencyRecord, "tenantId" | "mode" | "method" | "route" | "idempotencyKey">;

/** The records of idempotency keys, by the keys. */
export const recordRows = tableOf("idempotencyRecords", ["tenantId", "mode", "method", "route", "idempotencyKey"]);

/** The outcome of a call, as stored in its idempotency record. */
export type Outcome =
  | {
      readonly state: "stored";
      readonly answerStatus: number;
      readonly answerBody: string;
    }
  | { readonly state: "secret_issued" };

export type NewRecord = Omit<IdempotencyRecord, "answerStatus" | "answerBody">;

/** Matches the one record with this key. */
function isRecordOf({ tenantId, mode, method, route, idempotencyKey }: RecordKey) {
  return (record: ExpressionBuilder<Schema, "idempotencyRecords">) =>
    record.and({ tenantId, mode, method, route, idempotencyKey });
}

/** Stores a call's outcome. Returns false if the record is no longer `in_flight`. */
export async function storeOutcome(tx: Tx, key: RecordKey, outcome: Outcome): Promise<boolean> {
  const settled = await updateWhere(tx, "idempotencyRecords", { state: "in_flight" })
    .set(outcome)
    .where(isRecordOf(key))
    .returning("idempotencyKey")
    .executeTakeFirst();
  return settled !== undefined;
}

/** Deletes the record if it is still `in_flight`. */
export async function deleteInFlight(tx: Tx, key: RecordKey): Promise<void> {
  await tx.deleteFrom("idempotencyRecords").where(isRecordOf(key)).where("state", "=", "in_flight").execute();
}

/** Deletes the record if it contains this response. */
export async function deleteCompletedRecord(tx: Tx, key: RecordKey, answerBody: string): Promise<void> {
  await tx.deleteFrom("idempotencyRecords").where(isRecordOf(key)).where("answerBody", "=", answerBody).execute();
}
