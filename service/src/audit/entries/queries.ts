import { type QueryCreator, sql } from "kysely";
import { compileOnce } from "../../db/compile-once.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type ListedPage, type Page, readPage } from "../../db/pages.ts";
import type { Row, Schema } from "../../db/schema.ts";
import type { AuditId, TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { AuditRecord } from "../chains/chain.ts";
import type { ChainEntryHashes, ChainKey } from "../chains/queries.ts";

export async function insertEntry(tx: Tx, record: AuditRecord): Promise<void> {
  await insertEntryRow(tx, entryRowOf(record));
}

const insertEntryRow = compileOnce((tx, row: EntryRow) => entryInsert(tx, row));

/** Inserts an entry that a job will add to the chain. */
export async function insertPendingEntry(tx: Tx, record: AuditRecord): Promise<void> {
  await insertPendingEntryRow(tx, entryRowOf(record));
}

const insertPendingEntryRow = compileOnce((tx, row: EntryRow) =>
  tx
    .with("entry", (part) => entryInsert(part, row))
    .insertInto("auditPending")
    .values(pendingOf(row)),
);

/** A row of `audit_entries`, with its JSON columns as strings. */
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

/** Starts a statement with CTEs that insert a pending entry. The caller adds the main query. */
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

export interface ChainedEntry extends ChainEntryHashes {
  /** Null if the audit entry was deleted. */
  readonly record: AuditRecord | null;
}

/** A chain entry whose audit entry was not deleted. */
export interface ExistingEntry extends ChainEntryHashes {
  readonly record: AuditRecord;
}

/** Returns a range of the chain, oldest entry first. */
export async function listChainedEntries(
  db: Db,
  key: ChainKey,
  {
    afterSequence,
    lastSequence,
    limit,
  }: { readonly afterSequence: number; readonly lastSequence?: number; readonly limit: number },
): Promise<ChainedEntry[]> {
  const rows = await selectChainEntries(db, key)
    .where("link.sequence", ">", afterSequence)
    .$if(lastSequence !== undefined, (query) => query.where("link.sequence", "<=", lastSequence ?? 0))
    .orderBy("link.sequence")
    .limit(limit)
    .execute();
  return rows.map((row) => toChainedEntry(key, row));
}

/** A filter for a chain's entries. An undefined field matches every entry. */
export interface EntryFilter {
  readonly mode?: Mode | undefined;
  readonly action?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Matches entries with this project as their subject or in their `project_id` fact. */
  readonly projectId?: string | undefined;
}

/** Returns the entries in a range of the chain that match the filter, newest first. */
export async function listNewestEntries(
  db: Db,
  key: ChainKey,
  {
    fromSequence,
    beforeSequence,
    limit,
  }: { readonly fromSequence: number; readonly beforeSequence: number; readonly limit: number },
  { mode, action, subjectId, projectId }: EntryFilter,
): Promise<ExistingEntry[]> {
  const rows = await selectChainEntries(db, key)
    .where("link.sequence", ">=", fromSequence)
    .where("link.sequence", "<", beforeSequence)
    .where("entry.auditId", "is not", null)
    .where(({ and, or, eb }) =>
      and([
        ...(mode === undefined ? [] : [eb("entry.mode", "=", mode)]),
        ...(action === undefined ? [] : [eb("entry.action", "=", action)]),
        ...(subjectId === undefined ? [] : [eb(SUBJECT_ID, "=", subjectId)]),
        ...(projectId === undefined ? [] : [or([eb(SUBJECT_ID, "=", projectId), eb(PROJECT_ID, "=", projectId)])]),
      ]),
    )
    .orderBy("link.sequence", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => toChainedEntry(key, row)).filter((entry): entry is ExistingEntry => entry.record !== null);
}

export interface AdminEntryQuery extends Page<string> {
  readonly adminId: string | undefined;
  /** The developer in whose trail the entry is, or whom it is about. */
  readonly developerId: string | undefined;
}

/** Returns entries of all tenants that admins have written, the newest first. */
export async function listAdminEntries(
  db: Db,
  { adminId, developerId, after, limit }: AdminEntryQuery,
): Promise<ListedPage<Row<"auditEntries">>> {
  let entries = db.selectFrom("auditEntries").selectAll().where(sql<boolean>`actor ->> 'type' = 'admin'`);
  if (adminId !== undefined) entries = entries.where(sql<boolean>`actor ->> 'id' = ${adminId}`);
  if (developerId !== undefined) {
    entries = entries.where(sql<boolean>`(tenant_id = ${developerId} or subject ->> 'id' = ${developerId})`);
  }
  if (after !== undefined) entries = entries.where(sql<boolean>`audit_id < ${after}`);
  return readPage(limit, (max) => entries.orderBy("auditId", "desc").limit(max).execute());
}

const SUBJECT_ID = sql<string>`entry.subject ->> 'id'`;
const PROJECT_ID = sql<string>`entry.facts ->> 'project_id'`;

/**
 * Selects chain entries with the columns of their audit entries, which are null if the audit entry was deleted. The
 * lateral join looks up each audit entry by its primary key. With a plain join, a planner without statistics for the
 * tenant scans all of the tenant's audit entries for every chain entry.
 */
function selectChainEntries(db: Db, { tenantId, chain }: ChainKey) {
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

type ChainedEntryRow = Omit<ChainEntryHashes, "auditId"> & {
  readonly linkedAuditId: AuditId;
} & Nullable<Omit<AuditRecord, "tenantId">>;

function toChainedEntry(
  { tenantId }: ChainKey,
  { sequence, linkedAuditId, prevHash, hash, ...entry }: ChainedEntryRow,
): ChainedEntry {
  return { sequence, auditId: linkedAuditId, prevHash, hash, record: toRecord(tenantId, entry) };
}

type Nullable<Value> = { readonly [Key in keyof Value]: Value[Key] | null };

/**
 * Returns null if the audit entry was deleted. The left join then returns null in all columns of the audit entry, so
 * checking one column is enough.
 */
function toRecord(
  tenantId: TenantId,
  { requestId, ...entry }: Nullable<Omit<AuditRecord, "tenantId">>,
): AuditRecord | null {
  if (entry.auditId === null) return null;
  return { ...(entry as Omit<AuditRecord, "tenantId" | "requestId">), requestId, tenantId };
}
