import { type Expression, type OperationNodeSource, type QueryCreator, sql } from "kysely";
import { type EntryRow, withPendingEntry } from "../../audit/entries/queries.ts";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { isAfter, type Page } from "../../db/pages.ts";
import type { RequestSignatureTable, Schema } from "../../db/schema.ts";
import { countEvent, type EventRow, eventValuesOf } from "../../events/queries.ts";
import type { TenantId } from "../../foundation/ids.ts";
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

/** See `purser_claim_money_request` in `db/migrations/0014_money_requests.sql`. */
export type Claimed =
  | { readonly outcome: "new" | "replayed" }
  | {
      readonly outcome: "taken";
      readonly record: Pick<
        IdempotencyRecord,
        "fingerprint" | "agentIds" | "state" | "answerStatus" | "answerBody"
      >;
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
  claimAndRead(tx: Tx, parameters: ClaimRow & Query): Promise<(Facts & { claim: Claimed })[]>;
  /** Writes the outcome of a request that succeeded. */
  writeResult(tx: Tx, row: OutcomeRow & Row): Promise<unknown>;
}

/**
 * Defines the statements of one kind of money request. They are compiled once.
 *
 * `facts` returns a query with exactly one row. It runs in the same statement as the claim, and only if the claim is new.
 * A claim can wait for another transaction, and only a volatile function sees what that transaction has committed.
 * The facts are not locked: the move must check again whatever can change.
 *
 * `rows` returns the inserts of the request's own rows, each with a name. They become parts of the statement that writes
 * the audit entry, the event and the stored response.
 */
export function moneyStatements<
  Query extends Without<ClaimRow>,
  Facts extends object,
  Row extends Without<OutcomeRow>,
>({
  facts,
  rows,
}: {
  facts(db: Db, query: ClaimRow & Query): Expression<Facts>;
  rows(db: Db, row: OutcomeRow & Row): Readonly<Record<string, OperationNodeSource>>;
}): MoneyStatements<Query, Facts, Row> {
  return {
    claimAndRead: compileOnce((db, claim: ClaimRow & Query) => ({
      // With the condition and `offset 0`, the planner runs the query of the facts after the claim, and only if it is new.
      compile: () =>
        sql<Facts & { claim: Claimed }>`
          select claimed.claim, facts.* from ${claimCall(claim)} as claimed (claim)
          left join lateral (
            select * from (${facts(db, claim)}) as facts where claimed.claim ->> 'outcome' = 'new' offset 0
          ) as facts on true`.compile(db),
    })),
    writeResult: compileOnce((db, row: OutcomeRow & Row) =>
      insertOutcome(db, row, Object.entries(rows(db, row))),
    ),
  };
}

function claimCall(claim: ClaimRow) {
  return sql`purser_claim_money_request(${claim.tenantId}, ${claim.keyMode}, ${claim.keyMethod}, ${claim.keyRoute},
    ${claim.idempotencyKey}::uuid, ${claim.fingerprint}, ${claim.keyAgentIds}::text[], ${claim.keyExpiresAt},
    ${claim.signatureHash}, ${claim.signatureExpiresAt}, ${claim.claimedAt})`;
}

/** Writes the outcome of a request that was refused. */
export const writeRefusal = compileOnce((db, row: OutcomeRow) => insertOutcome(db, row, []));

function insertOutcome(
  db: Db,
  row: OutcomeRow,
  inserts: readonly (readonly [string, OperationNodeSource])[],
) {
  const withAnswer = withPendingEntry(db, row).with("answer", (part) =>
    part
      .updateTable("idempotencyRecords")
      .set({ state: "stored", answerStatus: row.answerStatus, answerBody: row.answerBody })
      .where("tenantId", "=", row.tenantId)
      .where("mode", "=", row.keyMode)
      .where("method", "=", row.keyMethod)
      .where("route", "=", row.keyRoute)
      .where("idempotencyKey", "=", row.idempotencyKey),
  ) as unknown as QueryCreator<Schema>;
  // Each name would add its columns to the type, but no later part of the statement reads them.
  const withInserts = inserts.reduce(
    (statement, [name, insert]) =>
      statement.with(name, () => sql`(${insert})`) as unknown as QueryCreator<Schema>,
    withAnswer,
  );
  return withInserts
    .with("counter", () => countEvent(row))
    .insertInto("events")
    .values(eventValuesOf(row));
}

/** Remembers a signature whose request was not executed. */
export async function insertSignature(tx: Tx, row: RequestSignatureTable): Promise<void> {
  await tx
    .insertInto("requestSignatures")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type ExpiredSignature = Pick<
  RequestSignatureTable,
  "expiresAt" | "tenantId" | "signatureHash"
>;

/** Returns one page of the signatures of all tenants that have expired, oldest first. */
export async function listExpiredSignatures(
  db: Db,
  { at, after, limit }: Page<ExpiredSignature> & { readonly at: Date },
): Promise<ExpiredSignature[]> {
  return db
    .selectFrom("requestSignatures")
    .select(["expiresAt", "tenantId", "signatureHash"])
    .where("expiresAt", "<=", at)
    .where(isAfter(after, ["expiresAt", "tenantId", "signatureHash"]))
    .orderBy("expiresAt")
    .orderBy("tenantId")
    .orderBy("signatureHash")
    .limit(limit)
    .execute();
}

export async function deleteSignatures(
  tx: Tx,
  { tenantId, hashes }: { readonly tenantId: TenantId; readonly hashes: readonly string[] },
): Promise<void> {
  await tx
    .deleteFrom("requestSignatures")
    .where("tenantId", "=", tenantId)
    .where(sql<boolean>`signature_hash = any(${hashes}::text[])`)
    .execute();
}
