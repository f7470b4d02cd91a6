import { type Selectable, sql } from "kysely";
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
  await tx
    .insertInto("outboxMessages")
    .values({ ...message, payload: JSON.stringify(message.payload), dueAt: message.createdAt })
    .execute();
}

/** The tenants that have messages of these topics due, the longest waiting first, so that each is served in transactions of its own. */
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
 * The tenant's oldest events that are due, locked until they are deleted in this same transaction. Another relay waits for
 * the lock and then goes on with those that come after, so that events keep the order in which they happened.
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
 * Takes the tenant's mail that has been due for longest, for one attempt: it is due again at `nextDueAt` unless it is removed
 * before. Mails that another relay holds are skipped.
 */
export async function claimDueMail(
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
      // Not `in`: a planner may run that subquery more than once, and each run would take another mail.
      .where("messageId", "=", due)
      .returningAll()
      .executeTakeFirst()
  );
}

export async function deleteMessage(
  tx: Tx,
  { tenantId, messageId }: Pick<OutboxMessage, "tenantId" | "messageId">,
): Promise<void> {
  await tx
    .deleteFrom("outboxMessages")
    .where("tenantId", "=", tenantId)
    .where("messageId", "=", messageId)
    .execute();
}

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

/** Appends to the event log, with the next number of its subject. The message's removal stands in the same transaction. */
export async function insertEvent(
  tx: Tx,
  event: {
    readonly tenantId: TenantId;
    readonly eventId: string;
    readonly mode: Mode;
    readonly type: string;
    readonly subjectType: string;
    readonly subjectId: string;
    readonly data: Json;
    readonly actor: Schema["events"]["actor"]["__select__"];
    readonly requestId: string | null;
    readonly occurredAt: Date;
  },
): Promise<void> {
  const sequence = tx
    .selectFrom("events")
    .select(({ fn, eb, val }) =>
      eb(fn.coalesce(fn.max("sequence"), val(0)), "+", val(1)).as("next"),
    )
    .where("tenantId", "=", event.tenantId)
    .where("subjectType", "=", event.subjectType)
    .where("subjectId", "=", event.subjectId);
  await tx
    .insertInto("events")
    .values({
      ...event,
      data: JSON.stringify(event.data),
      actor: JSON.stringify(event.actor),
      sequence,
    })
    .execute();
}

/**
 * Events of before that time that have a later one of the same subject. The last of each subject stays: the next one's number
 * is counted from it.
 */
const oldEvents = (before: Date) => sql`
  events as event where occurred_at < ${before} and exists (
    select from events as later
    where later.tenant_id = event.tenant_id and later.subject_type = event.subject_type
      and later.subject_id = event.subject_id and later.sequence > event.sequence
  )`;

export async function listTenantsWithOldEvents(
  db: Db,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<TenantId[]> {
  const { rows } = await sql<{ tenantId: TenantId }>`
    select distinct tenant_id from ${oldEvents(before)} limit ${limit}`.execute(db);
  return rows.map(({ tenantId }) => tenantId);
}

/** @returns how many were deleted: fewer than `limit` when none are left */
export async function deleteOldEvents(
  tx: Tx,
  {
    tenantId,
    before,
    limit,
  }: { readonly tenantId: TenantId; readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where tenant_id = ${tenantId} and event_id = any(array(
      select event_id from ${oldEvents(before)} and tenant_id = ${tenantId}
      order by occurred_at limit ${limit}
    ))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
