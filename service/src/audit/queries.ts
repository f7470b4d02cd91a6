import { type QueryCreator, sql } from "kysely";
import { compileOnce } from "../db/compile-once.ts";
import type { Db, Tx } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { AuditId, TenantId } from "../foundation/ids.ts";
import type { AuditChain, Mode } from "../foundation/vocabulary.ts";
import type { SignedCheckpoint } from "../ports/audit-anchor.ts";
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

export async function insertEntry(tx: Tx, record: AuditRecord): Promise<void> {
  await insertEntryRow(tx, entryRowOf(record));
}

const insertEntryRow = compileOnce((tx, row: EntryRow) => entryInsert(tx, row));

/** Writes an entry that the chainer has still to link. */
export async function insertPendingEntry(tx: Tx, record: AuditRecord): Promise<void> {
  await insertPendingEntryRow(tx, entryRowOf(record));
}

const insertPendingEntryRow = compileOnce((tx, row: EntryRow) =>
  tx
    .with("entry", (part) => entryInsert(part, row))
    .insertInto("auditPending")
    .values(pendingOf(row)),
);

/** An entry as its table takes it: what is JSON there, as text. */
export interface EntryRow extends Omit<AuditRecord, "actor" | "subject" | "facts"> {
  readonly actor: string;
  readonly subject: string;
  readonly facts: string;
}

export function entryRowOf(record: AuditRecord): EntryRow {
  return {
    ...record,
    actor: JSON.stringify(record.actor),
    subject: JSON.stringify(record.subject),
    facts: JSON.stringify(record.facts),
  };
}

/** A statement that writes an entry, which the chainer has still to link, beside what else it is made to do. */
export function withPendingEntry(tx: Db, row: EntryRow) {
  return tx
    .with("entry", (part) => entryInsert(part, row))
    .with("pending", (part) => part.insertInto("auditPending").values(pendingOf(row)));
}

function entryInsert(part: QueryCreator<Schema>, row: EntryRow) {
  return part.insertInto("auditEntries").values({
    tenantId: row.tenantId,
    auditId: row.auditId,
    chain: row.chain,
    mode: row.mode,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    facts: row.facts,
    requestId: row.requestId,
    occurredAt: row.occurredAt,
  });
}

function pendingOf({ tenantId, auditId, chain }: EntryRow) {
  return { tenantId, auditId, chain };
}

/** The chain's head, locked until the transaction ends. A chain that has none yet gets one, before any entry. */
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

/** The oldest entries that are not linked yet. Read under the head's lock, so that each is linked once. */
export async function listPending(
  tx: Tx,
  { tenantId, chain }: ChainKey,
  limit: number,
): Promise<AuditRecord[]> {
  // By their whole keys, as in `selectLinked`.
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

/** Writes links that follow the locked head, moves the head to the last of them, and clears what was pending. */
export async function insertLinks(
  tx: Tx,
  { tenantId, chain }: ChainKey,
  links: readonly ChainedHashes[],
): Promise<void> {
  const last = links.at(-1);
  if (last === undefined) return;
  const auditIds = links.map(({ auditId }) => auditId);
  // Columns as arrays: the statement is the same for any number of links, so that it is prepared once.
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

/** The chains that have entries to link, of whichever tenant. */
export async function listChainsWithPending(db: Db, limit: number): Promise<ChainKey[]> {
  return db
    .selectFrom("auditPending")
    .select(["tenantId", "chain"])
    .distinct()
    .limit(limit)
    .execute();
}

/** The chains that have grown by `entriesMin` since they were last anchored, or at all if that was before `anchoredBefore`. */
export async function listDueChains(
  db: Db,
  due: { readonly entriesMin: number; readonly anchoredBefore: Date; readonly limit: number },
): Promise<ChainKey[]> {
  return db
    .selectFrom("auditHeads")
    .select(["tenantId", "chain"])
    .whereRef("sequence", ">", "anchoredSequence")
    .where(({ eb, or, ref }) =>
      or([
        eb("anchoredAt", "is", null),
        eb("anchoredAt", "<=", due.anchoredBefore),
        eb("sequence", ">=", eb(ref("anchoredSequence"), "+", due.entriesMin)),
      ]),
    )
    .orderBy("anchoredAt", (order) => order.asc().nullsFirst())
    .limit(due.limit)
    .execute();
}

export interface ChainedEntry extends ChainedHashes {
  /** Null where the link's entry is gone. */
  readonly record: AuditRecord | null;
}

/** An entry that is there, in its place. */
export interface ActiveEntry extends ChainedHashes {
  readonly record: AuditRecord;
}

/** Links of a stretch of the chain in their order, each with its entry. */
export async function listChainedEntries(
  db: Db,
  key: ChainKey,
  {
    afterSequence,
    lastSequence,
    limit,
  }: { readonly afterSequence: number; readonly lastSequence?: number; readonly limit: number },
): Promise<ChainedEntry[]> {
  const rows = await selectLinked(db, key)
    .where("link.sequence", ">", afterSequence)
    .$if(lastSequence !== undefined, (query) =>
      query.where("link.sequence", "<=", lastSequence ?? 0),
    )
    .orderBy("link.sequence")
    .limit(limit)
    .execute();
  return rows.map((row) => toLinkedEntry(key, row));
}

/** Which entries of a chain are wanted. What is undefined narrows nothing. */
export interface EntryFilter {
  readonly mode?: Mode | undefined;
  readonly action?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Entries about the project itself, or about something in it. */
  readonly projectId?: string | undefined;
}

/** Entries of a stretch of the chain that a filter wants, newest first. */
export async function listNewestEntries(
  db: Db,
  key: ChainKey,
  {
    fromSequence,
    beforeSequence,
    limit,
  }: { readonly fromSequence: number; readonly beforeSequence: number; readonly limit: number },
  { mode, action, subjectId, projectId }: EntryFilter,
): Promise<ActiveEntry[]> {
  const rows = await selectLinked(db, key)
    .where("link.sequence", ">=", fromSequence)
    .where("link.sequence", "<", beforeSequence)
    .where("entry.auditId", "is not", null)
    .where(({ and, or, eb }) =>
      and([
        ...(mode === undefined ? [] : [eb("entry.mode", "=", mode)]),
        ...(action === undefined ? [] : [eb("entry.action", "=", action)]),
        ...(subjectId === undefined ? [] : [eb(SUBJECT_ID, "=", subjectId)]),
        ...(projectId === undefined
          ? []
          : [or([eb(SUBJECT_ID, "=", projectId), eb(PROJECT_ID, "=", projectId)])]),
      ]),
    )
    .orderBy("link.sequence", "desc")
    .limit(limit)
    .execute();
  return rows
    .map((row) => toLinkedEntry(key, row))
    .filter((entry): entry is ActiveEntry => entry.record !== null);
}

const SUBJECT_ID = sql<string>`entry.subject ->> 'id'`;
const PROJECT_ID = sql<string>`entry.facts ->> 'project_id'`;

/**
 * Links of a chain, each with the columns of its entry where that is there. Each entry is looked up by its whole key: as a
 * join, a planner that knows nothing of the tenant goes through all of its entries for every link.
 */
function selectLinked(db: Db, { tenantId, chain }: ChainKey) {
  return db
    .selectFrom("auditLinks as link")
    .leftJoinLateral(
      (entries) =>
        entries
          .selectFrom("auditEntries")
          .selectAll()
          .whereRef("auditEntries.tenantId", "=", "link.tenantId")
          .whereRef("auditEntries.chain", "=", "link.chain")
          .whereRef("auditEntries.auditId", "=", "link.auditId")
          .limit(1)
          .as("entry"),
      (join) => join.onTrue(),
    )
    .select([
      "link.sequence",
      "link.auditId as linkedAuditId",
      "link.prevHash",
      "link.hash",
      "entry.auditId",
      "entry.chain",
      "entry.mode",
      "entry.actor",
      "entry.action",
      "entry.subject",
      "entry.facts",
      "entry.requestId",
      "entry.occurredAt",
    ])
    .where("link.tenantId", "=", tenantId)
    .where("link.chain", "=", chain);
}

type LinkedRow = Omit<ChainedHashes, "auditId"> & { readonly linkedAuditId: AuditId } & Nullable<
    Omit<AuditRecord, "tenantId">
  >;

function toLinkedEntry(
  { tenantId }: ChainKey,
  { sequence, linkedAuditId, prevHash, hash, ...entry }: LinkedRow,
): ChainedEntry {
  return { sequence, auditId: linkedAuditId, prevHash, hash, record: toRecord(tenantId, entry) };
}

type Nullable<Value> = { readonly [Key in keyof Value]: Value[Key] | null };

/** A left join gives all of an entry or nothing of it. */
function toRecord(
  tenantId: TenantId,
  { requestId, ...entry }: Nullable<Omit<AuditRecord, "tenantId">>,
): AuditRecord | null {
  if (entry.auditId === null) return null;
  return { ...(entry as Omit<AuditRecord, "tenantId" | "requestId">), requestId, tenantId };
}

/** What a look at a stretch of a chain's entries found. */
export interface LinkCheck {
  /** An entry that stands in no link and is not waiting for one: its link was taken away. */
  readonly unlinked: AuditId | null;
  /** Where the stretch ended. Null when there was nothing left to look at. */
  readonly lastAuditId: AuditId | null;
}

/**
 * Looks for entries of the chain that stand in no link, in the order of their ids and so many at once: so that no statement
 * takes longer for a longer chain. As a difference of sets, since anti-joins are quadratic when the planner knows nothing.
 */
export async function checkChainHashes(
  db: Db,
  { tenantId, chain }: ChainKey,
  { afterAuditId, limit }: { readonly afterAuditId: string; readonly limit: number },
): Promise<LinkCheck> {
  const { rows } = await sql<LinkCheck>`
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

/** What waits for a link although it is gone: an entry that was taken away before it had a place. */
export async function findLostPending(
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

/** The newest checkpoint of the chain, anchored or not. */
export async function findLastCheckpoint(
  db: Db,
  { tenantId, chain }: ChainKey,
): Promise<SignedCheckpoint | undefined> {
  const row = await db
    .selectFrom("auditCheckpoints")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { checkpointedAt, ...rest } = row;
  return { ...rest, time: checkpointedAt.toISOString() };
}

/** A checkpoint as the database keeps it, with where the anchor has it once it took it. */
export interface KeptCheckpoint extends SignedCheckpoint {
  readonly reference: string | null;
  readonly anchoredAt: Date | null;
}

/** Checkpoints of the chain before a place, newest first. */
export async function listKeptCheckpoints(
  db: Db,
  { tenantId, chain }: ChainKey,
  {
    beforeSequence,
    limit,
  }: { readonly beforeSequence: number | undefined; readonly limit: number },
): Promise<KeptCheckpoint[]> {
  const rows = await db
    .selectFrom("auditCheckpoints as checkpoint")
    .leftJoin("auditAnchorings as anchoring", (join) =>
      join
        .onRef("anchoring.tenantId", "=", "checkpoint.tenantId")
        .onRef("anchoring.chain", "=", "checkpoint.chain")
        .onRef("anchoring.sequence", "=", "checkpoint.sequence"),
    )
    .selectAll("checkpoint")
    .select(["anchoring.reference", "anchoring.anchoredAt"])
    .where("checkpoint.tenantId", "=", tenantId)
    .where("checkpoint.chain", "=", chain)
    .$if(beforeSequence !== undefined, (query) =>
      query.where("checkpoint.sequence", "<", beforeSequence ?? 0),
    )
    .orderBy("checkpoint.sequence", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ checkpointedAt, ...rest }) => ({
    ...rest,
    time: checkpointedAt.toISOString(),
  }));
}

export async function insertCheckpoint(
  tx: Tx,
  { time, ...checkpoint }: SignedCheckpoint,
): Promise<void> {
  await tx
    .insertInto("auditCheckpoints")
    .values({ ...checkpoint, checkpointedAt: new Date(time) })
    .execute();
}

/** Notes that the anchor took the checkpoint. Noted twice, it stays as it was. */
export async function insertAnchoring(
  tx: Tx,
  anchoring: ChainKey & {
    readonly sequence: number;
    readonly reference: string;
    readonly anchoredAt: Date;
  },
): Promise<void> {
  const { tenantId, chain, sequence, anchoredAt } = anchoring;
  await tx
    .insertInto("auditAnchorings")
    .values(anchoring)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .updateTable("auditHeads")
    .set({ anchoredSequence: sequence, anchoredAt })
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .where("anchoredSequence", "<=", sequence)
    .execute();
}

/** The last link that the chain has, whatever became of those before it. */
export async function findLastLink(
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

/** The hash that the chain holds at a place, if it holds one. */
export async function findLinkHash(
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

/** How far the chain was when the anchor last took a checkpoint of it. */
export async function findAnchoredSequence(
  db: Db,
  { tenantId, chain }: ChainKey,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("auditAnchorings")
    .select("sequence")
    .where("tenantId", "=", tenantId)
    .where("chain", "=", chain)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.sequence;
}

/** When the oldest entry was made that the anchor has not taken: of this chain, or of any. Undefined where it has them all. */
export async function findFirstUnanchored(db: Db, key?: ChainKey): Promise<Date | undefined> {
  let heads = db
    .selectFrom("auditHeads as head")
    .innerJoin("auditLinks as link", (join) =>
      join
        .onRef("link.tenantId", "=", "head.tenantId")
        .onRef("link.chain", "=", "head.chain")
        .on(({ eb, ref }) =>
          eb(ref("link.sequence"), "=", eb(ref("head.anchoredSequence"), "+", 1)),
        ),
    )
    .innerJoin("auditEntries as entry", (join) =>
      join
        .onRef("entry.tenantId", "=", "link.tenantId")
        .onRef("entry.chain", "=", "link.chain")
        .onRef("entry.auditId", "=", "link.auditId"),
    )
    .select(({ fn }) => fn.min("entry.occurredAt").as("occurredAt"))
    .whereRef("head.sequence", ">", "head.anchoredSequence");
  if (key !== undefined) {
    heads = heads.where("head.tenantId", "=", key.tenantId).where("head.chain", "=", key.chain);
  }
  const row = await heads.executeTakeFirst();
  return row?.occurredAt ?? undefined;
}
