import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import type { AuditId, TenantId } from "../../foundation/ids.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import { type AuditRecord, type ChainHead, GENESIS } from "./chain.ts";

export interface ChainKey {
  readonly tenantId: TenantId;
  readonly chain: AuditChain;
}

export interface ChainedHashes {
  readonly sequence: number;
  readonly auditId: AuditId;
  readonly prevHash: string;
  readonly hash: string;
}

/** Locks the chain's head until the transaction ends, and returns it. Inserts the head of a chain that has none. */
export async function lockHead(tx: Tx, { tenantId, chain }: ChainKey): Promise<ChainHead> {
  await tx
    .insertInto("auditHeads")
    .values({ tenantId, chain, ...GENESIS })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom("auditHeads")
    .select(["sequence", "hash"])
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function findHead(
  db: Db,
  { tenantId, chain }: ChainKey,
): Promise<ChainHead | undefined> {
  return db
    .selectFrom("auditHeads")
    .select(["sequence", "hash"])
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .executeTakeFirst();
}

/** Returns the oldest pending entries. Call it under the head's lock, so that each entry is linked once. */
export async function listPending(
  tx: Tx,
  { tenantId, chain }: ChainKey,
  limit: number,
): Promise<AuditRecord[]> {
  // Each entry is looked up by its whole key, as in `selectLinked`.
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

/** Inserts links after the locked head, moves the head to the last of them, and deletes their pending rows. */
export async function insertChainedEntries(
  tx: Tx,
  { tenantId, chain }: ChainKey,
  links: readonly ChainedHashes[],
): Promise<void> {
  const last = links.at(-1);
  if (last === undefined) return;
  const auditIds = links.map(({ auditId }) => auditId);
  // Columns are arrays, so that the statement is the same for any number of links and is prepared once.
  await sql`
    insert into audit_links (tenant_id, chain, sequence, audit_id, prev_hash, hash)
    select ${tenantId}::text, ${chain}::text, link.* from unnest(
      ${links.map(({ sequence }) => sequence)}::integer[],
      ${auditIds}::text[],
      ${links.map(({ prevHash }) => prevHash)}::text[],
      ${links.map(({ hash }) => hash)}::text[]
    ) as link
  `.execute(tx);
  await tx
    .updateTable("auditHeads")
    .set({ sequence: last.sequence, hash: last.hash })
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .execute();
  await tx
    .deleteFrom("auditPending")
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .where("auditId", "=", sql<AuditId>`any(${auditIds}::text[])`)
    .execute();
}

/** Returns the chains of all tenants that have pending entries. */
export async function listChainsWithPending(db: Db, limit: number): Promise<ChainKey[]> {
  return db
    .selectFrom("auditPending")
    .select(["tenantId", "chain"])
    .distinct()
    .limit(limit)
    .execute();
}

/** The result of `checkChainHashes`. */
export interface ChainCheck {
  /** An entry that has no link and is not pending: its link was deleted. */
  readonly unlinked: AuditId | null;
  /** The last entry that was checked. Null if there were no more entries. */
  readonly lastAuditId: AuditId | null;
}

/**
 * Finds an entry of the chain without a link, in the order of ids and at most `limit` entries at a time, so that a longer
 * chain makes no statement slower. Uses `except`, because anti-joins are quadratic when the planner has no statistics.
 */
export async function checkChainHashes(
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

/** Returns a pending entry that was deleted before it was linked. */
export async function findLostPendingEntry(
  db: Db,
  { tenantId, chain }: ChainKey,
): Promise<AuditId | undefined> {
  const row = await db
    .selectFrom("auditPending as pending")
    .leftJoin("auditEntries as entry", (join) =>
      join
        .onRef("entry.tenantId", "=", "pending.tenantId")
        .onRef("entry.chain", "=", "pending.chain")
        .onRef("entry.auditId", "=", "pending.auditId"),
    )
    .select(({ fn }) => fn.min("pending.auditId").as("auditId"))
    .where("pending.tenantId", "=", tenantId)
    .where("pending.chain", "=", chain)
    .where("entry.auditId", "is", null)
    .executeTakeFirst();
  return row?.auditId ?? undefined;
}

/** Returns the last link of the chain, whether or not earlier links still exist. */
export async function findLastChainedEntry(
  db: Db,
  { tenantId, chain }: ChainKey,
): Promise<ChainHead | undefined> {
  return db
    .selectFrom("auditLinks")
    .select(["sequence", "hash"])
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Returns the hash of the link at a place. */
export async function findChainHash(
  db: Db,
  { tenantId, chain }: ChainKey,
  sequence: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("auditLinks")
    .select("hash")
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .where("sequence", "=", sequence)
    .executeTakeFirst();
  return row?.hash;
}
