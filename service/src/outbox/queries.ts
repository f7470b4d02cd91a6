import { type Selectable, sql } from "kysely";
import type { AuditRecord } from "../audit/chains/chain.ts";
import { type EntryRow, entryRowOf, withPendingEntry } from "../audit/entries/queries.ts";
import { compileOnce } from "../db/compile-once.ts";
import type { Db, Tx } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import type { Json } from "../foundation/canonical-json.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";

export type OutboxMessage = Selectable<Schema["outboxMessages"]>;

export interface NewOutboxMessage {
  readonly tenantId: TenantId;
  readonly messageId: string;
  readonly topic: string;
  readonly mode: Mode;
  readonly payload: Readonly<Record<string, Json>>;
  readonly sealed: Buffer | null;
  readonly createdAt: Date;
}

export async function insertMessage(tx: Tx, message: NewOutboxMessage): Promise<void> {
  await insertMessageRow(tx, messageRowOf(message));
}

const insertMessageRow = compileOnce((tx, row: MessageRow) =>
  tx.insertInto("outboxMessages").values(messageValuesOf(row)),
);

/** Inserts an outbox message and an audit entry that has no sequence number yet, in one statement. */
export async function insertEntryAndMessage(
  tx: Tx,
  record: AuditRecord,
  message: NewOutboxMessage,
): Promise<void> {
  await insertEntryAndMessageRows(tx, { ...entryRowOf(record), ...messageRowOf(message) });
}

const insertEntryAndMessageRows = compileOnce((tx, row: EntryRow & MessageRow) =>
  withPendingEntry(tx, row).insertInto("outboxMessages").values(messageValuesOf(row)),
);

/** A message with its payload as JSON text. */
export interface MessageRow extends Omit<NewOutboxMessage, "payload"> {
  readonly payload: string;
}

export function messageRowOf(message: NewOutboxMessage): MessageRow {
  return { ...message, payload: JSON.stringify(message.payload) };
}

export function messageValuesOf(row: MessageRow) {
  return {
    tenantId: row.tenantId,
    messageId: row.messageId,
    topic: row.topic,
    mode: row.mode,
    payload: row.payload,
    sealed: row.sealed,
    dueAt: row.createdAt,
    createdAt: row.createdAt,
  };
}

/**
 * Returns the tenants with due messages in these topics. The tenant whose message has been due for longest comes first.
 */
export async function listTenantsWithDueMessages(
  db: Db,
  {
    topics,
    at,
    limit,
  }: { readonly topics: readonly string[]; readonly at: Date; readonly limit: number },
): Promise<TenantId[]> {
  const rows = await db
    .selectFrom("outboxMessages")
    .select("tenantId")
    .where("topic", "in", topics)
    .where("dueAt", "<=", at)
    .groupBy("tenantId")
    .orderBy(({ fn }) => fn.min("dueAt"))
    .limit(limit)
    .execute();
  return rows.map(({ tenantId }) => tenantId);
}

/**
 * Returns and locks the tenant's oldest due events. The caller deletes them in the same transaction. A concurrent call
 * waits until that transaction ends, and then returns later events. The events therefore remain in order.
 */
export async function lockDueEvents(
  tx: Tx,
  { tenantId, at, limit }: DueMessages,
): Promise<OutboxMessage[]> {
  return tx
    .selectFrom("outboxMessages")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("topic", "=", "event")
    .where("dueAt", "<=", at)
    .orderBy("messageId")
    .limit(limit)
    .forUpdate()
    .execute();
}

interface DueMessages {
  readonly tenantId: TenantId;
  readonly at: Date;
  readonly limit: number;
}

/**
 * Claims the tenant's email that has been due for longest, so that the caller can try to send it. The email is due
 * again at `nextDueAt`, unless the caller deletes or postpones it. Skips emails that another transaction has locked.
 */
export async function claimDueEmail(
  tx: Tx,
  {
    tenantId,
    at,
    nextDueAt,
  }: { readonly tenantId: TenantId; readonly at: Date; readonly nextDueAt: Date },
): Promise<OutboxMessage | undefined> {
  const due = tx
    .selectFrom("outboxMessages")
    .select("messageId")
    .where("tenantId", "=", tenantId)
    .where("topic", "=", "mail")
    .where("dueAt", "<=", at)
    .orderBy("dueAt")
    .orderBy("messageId")
    .limit(1)
    .forUpdate()
    .skipLocked();
  return (
    tx
      .updateTable("outboxMessages")
      .set(({ eb, ref }) => ({ attempts: eb(ref("attempts"), "+", 1), dueAt: nextDueAt }))
      .where("tenantId", "=", tenantId)
      // "=" runs the subquery once. With "in", the planner may run it more than once, and each run would claim another
      // email.
      .where("messageId", "=", due)
      .returningAll()
      .executeTakeFirst()
  );
}

export async function deleteMessages(
  tx: Tx,
  { tenantId, messageIds }: { readonly tenantId: TenantId; readonly messageIds: readonly string[] },
): Promise<void> {
  await deleteMessageRows(tx, { tenantId, messageIds });
}

const deleteMessageRows = compileOnce(
  (tx, { tenantId, messageIds }: Parameters<typeof deleteMessages>[1]) =>
    tx
      .deleteFrom("outboxMessages")
      .where("tenantId", "=", tenantId)
      .where(sql<boolean>`message_id = any(${messageIds}::text[])`),
);

export async function postponeMessage(
  tx: Tx,
  {
    tenantId,
    messageId,
    dueAt,
    lastError,
  }: Pick<OutboxMessage, "tenantId" | "messageId" | "dueAt" | "lastError">,
): Promise<void> {
  await tx
    .updateTable("outboxMessages")
    .set({ dueAt, lastError })
    .where("tenantId", "=", tenantId)
    .where("messageId", "=", messageId)
    .execute();
}

export interface NewEvent {
  readonly eventId: string;
  readonly mode: Mode;
  readonly type: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly data: Json;
  readonly actor: Schema["events"]["actor"]["__select__"];
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

/**
 * Appends events in the given order, each with its subject's next sequence number. The caller deletes the events'
 * outbox messages in the same transaction.
 */
export async function insertEvents(
  tx: Tx,
  { tenantId, events }: { readonly tenantId: TenantId; readonly events: readonly NewEvent[] },
): Promise<void> {
  await insertEventRows(tx, { tenantId, events: JSON.stringify(events) });
}

/** All events are passed as one parameter, so that the statement is the same for any number of events. */
const insertEventRows = compileOnce(
  (tx, { tenantId, events }: { readonly tenantId: TenantId; readonly events: string }) =>
    tx
      .insertInto("events")
      .columns([
        "tenantId",
        "eventId",
        "mode",
        "type",
        "subjectType",
        "subjectId",
        "sequence",
        "data",
        "actor",
        "requestId",
        "occurredAt",
      ])
      .expression(
        sql`
          select ${tenantId}::text, event."eventId", event.mode, event.type, event."subjectType", event."subjectId",
            coalesce(last.sequence, 0)
              + row_number() over (partition by event."subjectType", event."subjectId" order by event.place),
            coalesce(event.data, 'null'), event.actor, event."requestId", event."occurredAt"
          from rows from (
            jsonb_to_recordset(${events}::jsonb) as (
              "eventId" text, mode text, type text, "subjectType" text, "subjectId" text,
              data jsonb, actor jsonb, "requestId" text, "occurredAt" timestamptz
            )
          ) with ordinality as event (
            "eventId", mode, type, "subjectType", "subjectId", data, actor, "requestId", "occurredAt", place
          )
          left join lateral (
            select max(sequence) as sequence from events
            where tenant_id = ${tenantId} and subject_type = event."subjectType" and subject_id = event."subjectId"
          ) as last on true`,
      ),
);

export interface OldEvent {
  readonly tenantId: TenantId;
  readonly eventId: string;
  readonly occurredAt: Date;
  /**
   * Whether this is the subject's last event. The last event is not deleted, because the subject's next sequence number
   * is derived from it.
   */
  readonly isLast: boolean;
}

/**
 * Returns up to `limit` events that are older than `before`, oldest first, starting after the event `previous`. The
 * last event of each subject is never deleted, so old events accumulate. A query without a limit could time out.
 */
export async function listOldEvents(
  db: Db,
  {
    before,
    previous,
    limit,
  }: {
    readonly before: Date;
    readonly previous: Pick<OldEvent, "occurredAt" | "eventId">;
    readonly limit: number;
  },
): Promise<OldEvent[]> {
  const { rows } = await sql<OldEvent>`
    select tenant_id, event_id, occurred_at, not exists (
      select from events as later
      where later.tenant_id = event.tenant_id and later.subject_type = event.subject_type
        and later.subject_id = event.subject_id and later.sequence > event.sequence
    ) as is_last
    from events as event
    where occurred_at < ${before}
      and (occurred_at, event_id) > (${previous.occurredAt}::timestamptz, ${previous.eventId})
    order by occurred_at, event_id limit ${limit}`.execute(db);
  return rows;
}

export async function deleteEvents(
  tx: Tx,
  { tenantId, eventIds }: { readonly tenantId: TenantId; readonly eventIds: readonly string[] },
): Promise<void> {
  await tx
    .deleteFrom("events")
    .where("tenantId", "=", tenantId)
    .where("eventId", "in", eventIds)
    .execute();
}
