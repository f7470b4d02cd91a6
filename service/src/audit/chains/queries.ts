import { sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { isAfter, type Page } from "../../db/pages.ts";
import { WITH_NEXT } from "../../db/round-trips.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { sendWithNext } from "../../db/transaction.ts";
import { sameColumns, selectWhere } from "../../db/where.ts";
import type { AuditId } from "../../foundation/ids.ts";
import { type AuditRecord, type ChainHead, GENESIS } from "./chain.ts";

export type ChainKey = Pick<Row<"auditHeads">, "tenantId" | "chain">;

/** Call `lockHead` to lock a head, which may not exist yet. */
export const auditHeadRows = tableOf("auditHeads", ["tenantId", "chain"]);

export const auditLinkRows = tableOf("auditLinks", ["tenantId", "chain", "sequence"]);

export type ChainEntryHashes = Pick<Row<"auditLinks">, "sequence" | "auditId" | "prevHash" | "hash">;

/** Locks the chain's head until the transaction ends, and returns it. Inserts the head if it does not exist. */
export async function lockHead(tx: Tx, { tenantId, chain }: ChainKey): Promise<ChainHead> {
  await insertHeadWithNext(tx, { tenantId, chain });
  return auditHeadRows.lockAndGet(tx, { tenantId, chain });
}

const insertHeadWithNext = compileOnce(
  (tx, { tenantId, chain }: ChainKey) =>
    tx
      .insertInto("auditHeads")
      .values({ tenantId, chain, ...GENESIS })
      .onConflict((conflict) => conflict.doNothing()),
  { marker: WITH_NEXT },
);

/** Returns when the oldest entry of any tenant was written that is not in its chain yet. Undefined if there is none. */
export async function findFirstPending(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom((from) => from.selectFrom("auditPending").selectAll().orderBy("auditId").limit(1).as("pending"))
    .innerJoin("auditEntries as entry", sameColumns("entry", "pending", ["tenantId", "chain", "auditId"]))
    .select("entry.occurredAt")
    .executeTakeFirst();
  return row?.occurredAt;
}

/** Returns the oldest pending entries. The caller must hold the head's lock, so that no entry is added twice. */
export async function listPending(tx: Tx, { tenantId, chain }: ChainKey, limit: number): Promise<AuditRecord[]> {
  // See `selectChainEntries` for why this is a lateral join.
  return tx
    .selectFrom("auditPending as pending")
    .innerJoinLateral(
      (entries) =>
        entries
          .selectFrom("auditEntries")
          .selectAll()
          .whereRef("auditEntries.tenantId", "=", "pending.tenantId")
          .whereRef("auditEntries.chain", "=", "pending.chain")
          .whereRef("auditEntries.auditId", "=", "pending.auditId")
          .limit(1)
          .as("entry"),
      (join) => join.onTrue(),
    )
    .selectAll("entry")
    .where("pending.tenantId", "=", tenantId)
    .where("pending.chain", "=", chain)
    .orderBy("pending.auditId")
    .limit(limit)
    .execute();
}

/**
 * Inserts entries after the chain's head, moves the head to the last inserted entry, and deletes the pending rows, with the
 * transaction's next statement or its commit.
 */
export async function insertChainedEntries(
  tx: Tx,
  { tenantId, chain }: ChainKey,
  entries: readonly ChainEntryHashes[],
): Promise<void> {
  const last = entries.at(-1);
  if (last === undefined) return;
  const auditIds = entries.map(({ auditId }) => auditId);
  // The values are passed as arrays. The statement's text is then the same for any number of entries, so PostgreSQL
  // prepares it only once.
  const insert = sql`
    with head as (
      update audit_heads set sequence = ${last.sequence}, hash = ${last.hash}
      where tenant_id = ${tenantId} and chain = ${chain}
    ), chained as (
      delete from audit_pending
      where tenant_id = ${tenantId} and chain = ${chain} and audit_id = any(${auditIds}::text[])
    )
    insert into audit_links (tenant_id, chain, sequence, audit_id, prev_hash, hash)
    select ${tenantId}::text, ${chain}::text, link.* from unnest(
      ${entries.map(({ sequence }) => sequence)}::integer[],
      ${auditIds}::text[],
      ${entries.map(({ prevHash }) => prevHash)}::text[],
      ${entries.map(({ hash }) => hash)}::text[]
    ) as link
  `;
  await sendWithNext(tx, { compile: () => insert.compile(tx) });
}

/** Returns the chains that have pending entries. */
export async function listChainsWithPending(db: Db, { after, limit }: Page<ChainKey>): Promise<ChainKey[]> {
  return db
    .selectFrom("auditPending")
    .select(["tenantId", "chain"])
    .distinct()
    .where(isAfter(after, ["tenantId", "chain"]))
    .orderBy("tenantId")
    .orderBy("chain")
    .limit(limit)
    .execute();
}

/** The result of `findUnchainedEntry`. */
export interface ChainCheck {
  /** The id of the first entry that is neither in the chain nor pending. Null if there is none. */
  readonly unlinked: AuditId | null;
  /** The id of the last entry checked. Null if no entries were left to check. */
  readonly lastAuditId: AuditId | null;
}

/**
 * Checks the next `limit` entries, ordered by id, for one that is missing from the chain. Uses `except` because
 * anti-joins take quadratic time if the planner has no statistics.
 */
export async function findUnchainedEntry(
  db: Db,
  { tenantId, chain }: ChainKey,
  { afterAuditId, limit }: { readonly afterAuditId: string; readonly limit: number },
): Promise<ChainCheck> {
  const { rows } = await sql<ChainCheck>`
    with stretch as materialized (
      select audit_id from audit_entries
      where tenant_id = ${tenantId} and chain = ${chain} and audit_id > ${afterAuditId}
      order by audit_id limit ${limit}
    ), stretch_end as materialized (
      select max(audit_id) as audit_id from stretch
    )
    select audit_id as last_audit_id, (
      select min(audit_id) from (
        select audit_id from stretch
        except
        select audit_id from audit_links
        where tenant_id = ${tenantId} and chain = ${chain}
          and audit_id > ${afterAuditId} and audit_id <= (select audit_id from stretch_end)
        except
        select audit_id from audit_pending
        where tenant_id = ${tenantId} and chain = ${chain}
          and audit_id > ${afterAuditId} and audit_id <= (select audit_id from stretch_end)
      ) as left_over
    ) as unlinked
    from stretch_end
  `.execute(db);
  return rows[0] ?? { unlinked: null, lastAuditId: null };
}

/** Returns the id of an entry that was deleted while it was pending. */
export async function findDeletedPendingEntry(db: Db, { tenantId, chain }: ChainKey): Promise<AuditId | undefined> {
  const row = await db
    .selectFrom("auditPending as pending")
    .leftJoin("auditEntries as entry", sameColumns("entry", "pending", ["tenantId", "chain", "auditId"]))
    .select(({ fn }) => fn.min("pending.auditId").as("auditId"))
    .where("pending.tenantId", "=", tenantId)
    .where("pending.chain", "=", chain)
    .where("entry.auditId", "is", null)
    .executeTakeFirst();
  return row?.auditId ?? undefined;
}

/** Returns the chain's last entry. Reads the entries, so the result is correct even if the stored head is not. */
export async function findLastChainedEntry(db: Db, { tenantId, chain }: ChainKey): Promise<ChainHead | undefined> {
  return selectWhere(db, "auditLinks", { tenantId, chain })
    .select(["sequence", "hash"])
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
}
