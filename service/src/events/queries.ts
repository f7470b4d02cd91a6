import { sql } from "kysely";
import type { AuditRecord } from "../audit/chains/chain.ts";
import { type EntryRow, entryRowOf, withPendingEntry } from "../audit/entries/queries.ts";
import { compileOnce } from "../db/compile-once.ts";
import type { Db, Tx } from "../db/database.ts";
import type { ListedPage } from "../db/pages.ts";
import { WITH_NEXT } from "../db/round-trips.ts";
import type { AuditActor, Row } from "../db/schema.ts";
import { rowsWhere } from "../db/where.ts";
import type { Json } from "../foundation/canonical-json.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";

export interface NewEvent {
  readonly tenantId: TenantId;
  readonly eventId: string;
  readonly mode: Mode;
  readonly type: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Whether the event gets the next number of its subject's counter. Otherwise it gets `sequence`. */
  readonly isCounted: boolean;
  readonly sequence: number | bigint | null;
  readonly data: Json;
  readonly actor: AuditActor;
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await insertEventRow(tx, eventRowOf(event));
}

const insertEventRow = compileOnce((tx, row: EventRow) =>
  tx
    .with("counter", () => countEvent(row))
    .insertInto("events")
    .values(eventValuesOf(row)),
);

/**
 * Inserts an event and an audit entry that has no sequence number yet, with the transaction's next statement or its
 * commit.
 */
export async function insertEntryAndEvent(tx: Tx, record: AuditRecord, event: NewEvent): Promise<void> {
  await insertEntryAndEventRows(tx, { ...entryRowOf(record), ...eventRowOf(event) });
}

const insertEntryAndEventRows = compileOnce(
  (tx, row: EntryRow & EventRow) =>
    withPendingEntry(tx, row)
      .with("counter", () => countEvent(row))
      .insertInto("events")
      .values(eventValuesOf(row)),
  { marker: WITH_NEXT },
);

/** An event with its JSON columns as strings. */
export interface EventRow extends Omit<NewEvent, "data" | "actor"> {
  readonly data: string;
  readonly actor: string;
}

export function eventRowOf(event: NewEvent): EventRow {
  return { ...event, data: JSON.stringify(event.data), actor: JSON.stringify(event.actor) };
}

/** Takes the next number of the subject's counter. Returns no row if the event is not counted. */
export function countEvent(row: EventRow) {
  return sql<Pick<Row<"eventCounters">, "sequence">>`(
    insert into event_counters (tenant_id, subject_type, subject_id, sequence)
    select ${row.tenantId}::text, ${row.subjectType}::text, ${row.subjectId}::text, 1 where ${row.isCounted}::boolean
    on conflict (tenant_id, subject_type, subject_id) do update set sequence = event_counters.sequence + 1
    returning sequence)`;
}

export function eventValuesOf(row: EventRow) {
  return {
    tenantId: row.tenantId,
    eventId: row.eventId,
    mode: row.mode,
    type: row.type,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    sequence: sql<number>`coalesce(${row.sequence}::integer, (select sequence from counter))`,
    data: row.data,
    actor: row.actor,
    requestId: row.requestId,
    occurredAt: row.occurredAt,
  };
}

/** An event, or a place in the event log: the transaction that wrote the last event read, and that event. */
export type EventCursor = Pick<Row<"events">, "xid" | "eventId">;

/** Returns the events since this time that say that an audit chain does not match its anchor, the newest first. */
export async function listAnchorMismatches(db: Db, since: Date, limit: number): Promise<Row<"events">[]> {
  return (
    db
      .selectFrom("events")
      .selectAll()
      // A literal, so that the planner uses the partial index.
      .where(sql<boolean>`type = 'audit.anchor_mismatch'`)
      .where("occurredAt", ">=", since)
      .orderBy("occurredAt", "desc")
      .limit(limit)
      .execute()
  );
}

/** An event with the data of the subject's event before it. Null if there is none, or if it has been deleted. */
export type StoredEvent = Row<"events"> & { readonly previousData: Json | null };

/** The tenant's events, with the data of the event before each. */
function storedEvents(db: Db, { tenantId, mode }: Pick<ListEvents, "tenantId" | "mode">) {
  const rows = rowsWhere(db, "events", { tenantId, ...(mode !== undefined && { mode }) });
  return rows.select(
    sql<Json | null>`(select earlier.data from events as earlier where earlier.tenant_id = events.tenant_id
      and earlier.subject_type = events.subject_type and earlier.subject_id = events.subject_id
      and earlier.sequence = events.sequence - 1)`.as("previousData"),
  );
}

interface ListEvents {
  readonly tenantId: TenantId;
  /** Undefined for the events of both modes. */
  readonly mode?: Mode | undefined;
  readonly after: EventCursor | null;
  readonly limit: number;
}

/**
 * How long a page is as JSON at most, unless its first event is longer. An event can have 64 KiB, and the one before
 * it too, so that without this limit a few readers could fill the memory of a process.
 */
const PAGE_BYTES_MAX = 2_000_000;

/** What PostgreSQL stores uncompressed is about as long as its text, which would take time to write. */
function bytesOf(column: "data" | "previous_data") {
  const value = sql.ref(column);
  return sql`case when pg_column_compression(${value}) is null then pg_column_size(${value})
    else octet_length(${value}::text) end`;
}

type StoredEvents = ReturnType<typeof storedEvents>;

/** Reads a page of events, in the order of the event log or the other way round. */
async function readEventPage(
  db: Db,
  {
    rows,
    limit,
    order = "asc",
  }: { readonly rows: StoredEvents; readonly limit: number; readonly order?: "asc" | "desc" },
): Promise<ListedPage<StoredEvent>> {
  const page = rows
    .orderBy("xid", order)
    .orderBy("eventId", order)
    .limit(limit + 1);
  const direction = sql.raw(order);
  const bytesBefore = sql<string>`coalesce(sum(${bytesOf("data")} + coalesce(${bytesOf("previous_data")}, 0))
    over (order by xid ${direction}, event_id ${direction} rows between unbounded preceding and 1 preceding), 0)`;
  const sized = db
    .selectFrom(page.as("page"))
    .selectAll()
    .select([bytesBefore.as("bytesBefore"), sql<string>`count(*) over ()`.as("found")]);
  const items = await db
    .selectFrom(sized.as("sized"))
    .selectAll()
    .where("bytesBefore", "<", String(PAGE_BYTES_MAX))
    .orderBy("xid", order)
    .orderBy("eventId", order)
    .limit(limit)
    .execute();
  return { items, hasMore: Number(items[0]?.found ?? 0) > items.length };
}

/** Only events of transactions that are older than every transaction that is still open. */
const IS_SETTLED = sql<boolean>`xid < pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * Returns the tenant's events after the cursor, in the order of the event log: by the number of the transaction that
 * wrote them, which PostgreSQL assigns at the transaction's first write. `after` is null for a reader that starts. The
 * last event returned is the next cursor. A page of long events is shorter than `limit`.
 *
 * Returns only events of transactions that are older than every transaction that is still open. Every later transaction
 * has a higher number, so no event can appear before a cursor. The price is a delay: while a transaction that has
 * written something is open, in any database of the PostgreSQL server, later events are not returned yet. None is lost.
 *
 * Two events of one subject can be in another order than their `sequence`, because a transaction can take the subject's
 * counter long after its first write.
 */
export async function listEventsAfter(
  db: Db,
  { tenantId, mode, after, limit }: ListEvents,
): Promise<ListedPage<StoredEvent>> {
  const { xid, eventId } = after ?? { xid: "0", eventId: "" };
  const rows = storedEvents(db, { tenantId, mode })
    .where(sql<boolean>`(xid, event_id) > (${xid}::xid8, ${eventId}::text)`)
    .where(IS_SETTLED);
  return readEventPage(db, { rows, limit });
}

/**
 * Returns the tenant's events before the cursor, the newest first. `after` is null for the newest of those that `listEventsAfter`
 * returns: a reader that continues after one of them misses none.
 */
export async function listEventsBefore(
  db: Db,
  { tenantId, mode, after, limit }: ListEvents,
): Promise<ListedPage<StoredEvent>> {
  const { xid, eventId } = after ?? { xid: LAST_XID, eventId: "" };
  const rows = storedEvents(db, { tenantId, mode })
    .where(sql<boolean>`(xid, event_id) < (${xid}::xid8, ${eventId}::text)`)
    .where(IS_SETTLED);
  return readEventPage(db, { rows, limit, order: "desc" });
}

const LAST_XID = "18446744073709551615";

/** Returns those of the events that exist, in the order of the event log, and of long events only the first. */
export async function findEvents(
  db: Db,
  tenantId: TenantId,
  eventIds: readonly string[],
): Promise<readonly StoredEvent[]> {
  // `in ()` is not SQL.
  if (eventIds.length === 0) return [];
  const rows = storedEvents(db, { tenantId }).where("eventId", "in", [...eventIds]);
  return (await readEventPage(db, { rows, limit: eventIds.length })).items;
}

/**
 * Returns the place in the event log after which every event is newer than this call. Events of transactions that are under
 * way come after it.
 */
export async function readEnd(db: Db): Promise<EventCursor> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(db);
  return { xid: rows[0]?.xid ?? "0", eventId: "" };
}

/** Returns the last of the log's events that `listEventsAfter` returns now. Undefined if there is none. */
export async function findLast(db: Db, log: EventLogName): Promise<StoredEvent | undefined> {
  return (await listEventsBefore(db, { ...log, after: null, limit: 1 })).items[0];
}

/** Returns the place in the tenant's event log before the events since this time. Null if there are none. */
export async function findStart(db: Db, { tenantId, mode }: Pick<Row<"events">, "tenantId" | "mode">, since: Date) {
  const first = await rowsWhere(db, "events", { tenantId, mode })
    .where("occurredAt", ">=", since)
    .orderBy("xid")
    .limit(1)
    .executeTakeFirst();
  return first === undefined ? null : { xid: first.xid, eventId: "" };
}

/** Whose events a reader waits for. */
export type EventLogName = Pick<Row<"events">, "tenantId" | "mode">;

/**
 * Returns the logs that have events of transactions from `xid` on, and the number of the transaction from which the next
 * call must read. `xid` is null for a reader that starts: it gets no logs.
 */
export async function listLogsWithEvents(
  db: Db,
  xid: string | null,
): Promise<{ readonly until: string; readonly logs: readonly EventLogName[] }> {
  const { rows } = await sql<{ readonly until: string } & { readonly tenantId: TenantId | null; readonly mode: Mode }>`
    with reading as (select pg_snapshot_xmin(pg_current_snapshot()) as until)
    select distinct reading.until::text as until, written.tenant_id, written.mode from reading
    left join events as written on written.xid >= ${xid}::xid8 and written.xid < reading.until`.execute(db);
  const logs = rows.flatMap(({ tenantId, mode }) => (tenantId === null ? [] : [{ tenantId, mode }]));
  return { until: rows[0]?.until ?? "0", logs };
}
