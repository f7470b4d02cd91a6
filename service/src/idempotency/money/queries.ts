import { type Compilable, type OperationNodeSource, type QueryCreator, sql } from "kysely";
import { DatabaseError } from "pg";
import { type EntryRow, withPendingEntry } from "../../audit/entries/queries.ts";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { THEN_COMMIT, WITH_NEXT } from "../../db/round-trips.ts";
import type { Schema } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countEvent, type EventRow, eventValuesOf } from "../../events/queries.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { IdempotencyRecord, RecordKey } from "../queries.ts";

/** A claim of an idempotency key and of a signature. A claim without one of them has null instead. */
export interface ClaimRow {
  readonly tenantId: TenantId;
  readonly keyMode: RecordKey["mode"] | null;
  readonly keyMethod: string | null;
  readonly keyRoute: string | null;
  readonly idempotencyKey: string | null;
  readonly fingerprint: string | null;
  readonly keyAgentIds: readonly string[];
  readonly keyExpiresAt: Date | null;
  readonly signatureHash: string | null;
  readonly signatureExpiresAt: Date | null;
  readonly claimedAt: Date;
}

/** See `purser_claim_money_request` in `db/migrations/0001_foundation.sql`. */
export type Claimed =
  | { readonly outcome: "new" | "replayed" }
  | {
      readonly outcome: "taken";
      readonly record: Pick<IdempotencyRecord, "fingerprint" | "agentIds" | "state" | "answerStatus" | "answerBody">;
    };

/** The audit entry, the event and the stored response of a money request. */
export interface OutcomeRow
  extends EntryRow,
    EventRow,
    Pick<ClaimRow, "tenantId" | "keyMode" | "keyMethod" | "keyRoute" | "idempotencyKey"> {
  readonly answerStatus: number;
  readonly answerBody: string;
}

/** An object type with none of these names, because its values are merged with an object that has them. */
export type Without<Reserved> = object & { readonly [Name in keyof Reserved]?: never };

/** The statements of one kind of money request. */
export interface MoneyStatements<Query, Facts, Row> {
  readFacts(tx: Tx, query: Query): Promise<Facts[]>;
  /** Writes the outcome of a request that succeeded, and commits. */
  writeResult(tx: Tx, row: OutcomeRow & Row): Promise<unknown>;
}

/**
 * Defines the statements of one kind of money request. They are compiled once.
 *
 * `facts` returns a query with exactly one row. It runs after the claim. The facts are not locked: the move must check
 * again whatever can change.
 *
 * `rows` returns the inserts of the request's own rows, each with a name. They become parts of the statement that writes
 * the audit entry, the event and the stored response.
 */
export function moneyStatements<Query extends object, Facts extends object, Row extends Without<OutcomeRow>>({
  facts,
  rows,
}: {
  facts(db: Db, query: Query): Compilable<Facts>;
  rows(db: Db, row: OutcomeRow & Row): Readonly<Record<string, OperationNodeSource>>;
}): MoneyStatements<Query, Facts, Row> {
  return {
    readFacts: compileOnce(facts),
    writeResult: compileOnce((db, row: OutcomeRow & Row) => insertOutcome(db, row, Object.entries(rows(db, row))), {
      marker: THEN_COMMIT,
    }),
  };
}

/**
 * Claims the key and the signature with the transaction's next statement. That one fails with an error for which
 * `isClaimTaken` returns true if another request has claimed one of them, and waits for a transaction that has.
 */
export const claimWithNext = compileOnce(
  // PostgreSQL runs the main insert first, so the key is locked before the signature, as by `claimRequest`.
  (db, claim: ClaimRow) => ({
    compile: () =>
      sql`
    with signature as (
      insert into request_signatures (tenant_id, signature_hash, idempotency_key, expires_at)
      select ${claim.tenantId}, ${claim.signatureHash}, ${claim.idempotencyKey}::uuid,
        ${claim.signatureExpiresAt}::timestamptz
      where ${claim.signatureHash}::text is not null
    )
    insert into idempotency_records (tenant_id, mode, method, route, idempotency_key, fingerprint, state,
      lease_expires_at, agent_ids, created_at, expires_at)
    select ${claim.tenantId}, ${claim.keyMode}, ${claim.keyMethod}, ${claim.keyRoute}, ${claim.idempotencyKey}::uuid,
      ${claim.fingerprint}, 'in_flight', ${claim.claimedAt}::timestamptz, ${claim.keyAgentIds}::text[],
      ${claim.claimedAt}::timestamptz, ${claim.keyExpiresAt}::timestamptz
    where ${claim.idempotencyKey}::uuid is not null`.compile(db),
  }),
  { marker: WITH_NEXT },
);

export function isClaimTaken(thrown: unknown): boolean {
  return isUniqueViolation(thrown, "idempotency_records_pkey") || isUniqueViolation(thrown, "request_signatures_pkey");
}

/** Returns true if a statement that failed was waiting for another request with the same key or signature. */
export function isClaimWait(thrown: unknown): boolean {
  const context = thrown instanceof DatabaseError ? thrown.where : undefined;
  return /idempotency_records|request_signatures/.test(context ?? "");
}

/**
 * Calls `purser_claim_money_request`. A signature that was used before is also `replayed` if its request was rolled back:
 * its key has no stored response.
 */
export async function claimRequest(tx: Tx, claim: ClaimRow): Promise<Claimed> {
  const [row] = await selectClaim(tx, claim);
  invariant(row !== undefined, "a function returns a row");
  return row.isSeen && row.claim.outcome === "new" ? { outcome: "replayed" } : row.claim;
}

const selectClaim = compileOnce((db, claim: ClaimRow) =>
  db.selectNoFrom([
    sql<boolean>`exists (select from request_signatures where tenant_id = ${claim.tenantId}
      and signature_hash = ${claim.signatureHash})`.as("isSeen"),
    sql<Claimed>`purser_claim_money_request(${claim.tenantId}, ${claim.keyMode}, ${claim.keyMethod}, ${claim.keyRoute},
      ${claim.idempotencyKey}::uuid, ${claim.fingerprint}, ${claim.keyAgentIds}::text[], ${claim.keyExpiresAt},
      ${claim.signatureHash}, ${claim.signatureExpiresAt}, ${claim.claimedAt})`.as("claim"),
  ]),
);

/** Writes the outcome of a request that was refused, and commits. */
export const writeRefusal = compileOnce((db, row: OutcomeRow) => insertOutcome(db, row, []), {
  marker: THEN_COMMIT,
});

/** Starts a statement with CTEs that insert the audit entry and store the response of the claimed key. */
function withAnswer(db: Db, row: OutcomeRow) {
  return withPendingEntry(db, row).with("answer", (part) =>
    part
      .updateTable("idempotencyRecords")
      .set({ state: "stored", answerStatus: row.answerStatus, answerBody: row.answerBody })
      .where("tenantId", "=", row.tenantId)
      .where("mode", "=", row.keyMode)
      .where("method", "=", row.keyMethod)
      .where("route", "=", row.keyRoute)
      .where("idempotencyKey", "=", row.idempotencyKey),
  ) as unknown as QueryCreator<Schema>;
}

function insertOutcome(db: Db, row: OutcomeRow, inserts: readonly (readonly [string, OperationNodeSource])[]) {
  // Each name would add its columns to the type, but no later part of the statement reads them.
  return inserts
    .reduce(
      (statement, [name, insert]) => statement.with(name, () => sql`(${insert})`) as unknown as QueryCreator<Schema>,
      withAnswer(db, row),
    )
    .with("counter", () => countEvent(row))
    .insertInto("events")
    .values(eventValuesOf(row));
}

/** The signatures that were used, by their hashes. */
export const requestSignatureRows = tableOf("requestSignatures", ["tenantId", "signatureHash"]);
