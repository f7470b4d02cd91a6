import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { type ListedPage, type Page, readNewest, readPage } from "../../db/pages.ts";
import type { Row } from "../../db/schema.ts";
import { tableOf } from "../../db/table.ts";
import { countRows, rowsWhere, sameColumns, selectWhere, updateWhere } from "../../db/where.ts";
import type { EventLogName } from "../../events/queries.ts";
import type { TenantId, WebhookId } from "../../foundation/ids.ts";
import { snakeCase } from "../../foundation/text.ts";
import type { Mode } from "../../foundation/vocabulary.ts";

export type Webhook = Row<"webhooks">;
export type Delivery = Row<"webhookDeliveries">;
export interface WebhookKey {
  readonly tenantId: TenantId;
  readonly webhookId: WebhookId;
}

export const webhookRows = tableOf("webhooks", ["tenantId", "webhookId"]);
export const webhookSecretRows = tableOf("webhookSecrets", ["tenantId", "webhookId", "version"]);

export interface WebhookScope {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}

export async function listWebhooks(
  db: Db,
  { tenantId, mode }: WebhookScope,
  page: Page<string>,
): Promise<ListedPage<Webhook>> {
  return readNewest(
    rowsWhere(db, "webhooks", { tenantId, mode }),
    { tenantId, table: "webhooks", column: "webhookId" },
    page,
  );
}

/** Counts the webhooks of a mode. The caller must have locked the developer. */
export function countWebhooks(tx: Tx, { tenantId, mode }: WebhookScope): Promise<number> {
  return countRows(selectWhere(tx, "webhooks", { tenantId, mode }));
}

/** Returns those of the ids that are agents of the mode. */
export async function listKnownAgentIds(db: Db, { tenantId, mode }: WebhookScope, agentIds: readonly string[]) {
  if (agentIds.length === 0) return [];
  const rows = await selectWhere(db, "agents", { tenantId, mode })
    .where("agentId", "in", [...agentIds])
    .where("deletedAt", "is", null)
    .select("agentId")
    .execute();
  return rows.map(({ agentId }) => agentId);
}

/** Returns the secrets that have not expired, the newest first. */
export async function listSecrets(tx: Tx, { tenantId, webhookId }: WebhookKey, at: Date) {
  return rowsWhere(tx, "webhookSecrets", { tenantId, webhookId })
    .where(({ eb, or }) => or([eb("expiresAt", "is", null), eb("expiresAt", ">", at)]))
    .orderBy("version", "desc")
    .execute();
}

/** An enabled webhook, and whether its new events are to be delivered already. */
export interface ReadyWebhook extends WebhookKey {
  readonly mode: Mode;
  /** Null if nothing is scheduled. Otherwise the number of attempts: 0 if it has not begun. */
  readonly attempts: number | null;
}

/** Returns the enabled webhooks of these logs. `logs` is null for all. */
export async function listReadyWebhooks(
  db: Db,
  kind: string,
  logs: readonly EventLogName[] | null,
): Promise<ReadyWebhook[]> {
  return db
    .selectFrom("webhooks as webhook")
    .leftJoin("dueWork as due", (join) =>
      join
        .onRef("due.tenantId", "=", "webhook.tenantId")
        .onRef("due.subject", "=", "webhook.webhookId")
        .on("due.kind", "=", kind),
    )
    .select(["webhook.tenantId", "webhook.webhookId", "webhook.mode", "due.attempts"])
    .where("webhook.enabled", "=", true)
    .$if(logs !== null, (query) =>
      query.where(sql<boolean>`(webhook.tenant_id, webhook.mode) in (
        select * from unnest(${logs?.map(({ tenantId }) => tenantId)}::text[], ${logs?.map(({ mode }) => mode)}::text[]))`),
    )
    .execute();
}

/** Returns the deliveries that wait, in the order of the event log. `at`: only those that are to be tried at this time. */
export async function listPendingDeliveries(
  db: Db,
  { tenantId, webhookId }: WebhookKey,
  { at, limit }: { readonly at: Date | null; readonly limit: number },
): Promise<Delivery[]> {
  return rowsWhere(db, "webhookDeliveries", { tenantId, webhookId, status: "pending" })
    .innerJoin("events", sameColumns("events", "webhookDeliveries", ["tenantId", "eventId"]))
    .$if(at !== null, (query) => query.where("nextAttemptAt", "<=", at))
    .orderBy("events.xid")
    .orderBy("events.eventId")
    .limit(limit)
    .execute();
}

/** A subject of which an event waits. Its later events wait too. */
export type WaitingSubject = Pick<Delivery, "subjectType" | "subjectId" | "nextAttemptAt">;

/**
 * Returns the subjects of which an event waits that has not failed twice: with `includesDue`, also those of which an event is to be
 * tried at this time; without it, only those of which the event is to be tried later. `at` is null for all of which an event waits.
 */
export async function listWaitingSubjects(
  db: Db,
  { tenantId, webhookId }: WebhookKey,
  { at, includesDue }: { readonly at: Date | null; readonly includesDue: boolean },
): Promise<WaitingSubject[]> {
  return selectWhere(db, "webhookDeliveries", { tenantId, webhookId, status: "pending" })
    .$if(at !== null, (query) =>
      query.where(({ eb, and, or }) =>
        includesDue
          ? or([eb("attempts", "<", 2), eb("nextAttemptAt", "<=", at)])
          : and([eb("attempts", "<", 2), eb("nextAttemptAt", ">", at)]),
      ),
    )
    .select(({ fn }) => ["subjectType", "subjectId", fn.max("nextAttemptAt").as("nextAttemptAt")])
    .groupBy(["subjectType", "subjectId"])
    .execute();
}

/** Returns when the next delivery is to be tried. Null if none waits. */
export async function findNextAttempt(db: Db, { tenantId, webhookId }: WebhookKey): Promise<Date | null> {
  const next = await selectWhere(db, "webhookDeliveries", { tenantId, webhookId, status: "pending" })
    .select(({ fn }) => fn.min("nextAttemptAt").as("at"))
    .executeTakeFirst();
  return next?.at ?? null;
}

/** Inserts or updates deliveries. They are sent as one parameter, because a thousand take longer than the statement. */
export async function saveDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  const [first] = deliveries;
  if (first === undefined) return;
  const columns = Object.keys(first) as (keyof Delivery)[];
  const rows = deliveries.map((delivery) =>
    Object.fromEntries(columns.map((column) => [snakeCase(column), delivery[column]])),
  );
  await tx
    .insertInto("webhookDeliveries")
    .columns(columns)
    .expression(
      sql`select ${sql.join(columns.map((column) => sql.ref(column)))}
        from json_populate_recordset(null::webhook_deliveries, ${JSON.stringify(rows)})`,
    )
    .onConflict((conflict) =>
      conflict.columns(["tenantId", "webhookId", "eventId"]).doUpdateSet(({ ref }) => ({
        status: ref("excluded.status"),
        attempts: ref("excluded.attempts"),
        nextAttemptAt: ref("excluded.nextAttemptAt"),
        responseStatus: ref("excluded.responseStatus"),
        responseBody: ref("excluded.responseBody"),
        error: ref("excluded.error"),
        durationMs: ref("excluded.durationMs"),
        attemptedAt: ref("excluded.attemptedAt"),
      })),
    )
    .execute();
}

/** Tries the deliveries that wait at this time. */
export async function hastenDeliveries(tx: Tx, { tenantId, webhookId }: WebhookKey, at: Date): Promise<void> {
  await updateWhere(tx, "webhookDeliveries", { tenantId, webhookId, status: "pending" })
    .set({ nextAttemptAt: at })
    .execute();
}

/** Gives up the deliveries that wait. */
export async function failPendingDeliveries(tx: Tx, { tenantId, webhookId }: WebhookKey): Promise<void> {
  await updateWhere(tx, "webhookDeliveries", { tenantId, webhookId, status: "pending" })
    .set({ status: "failed", nextAttemptAt: null })
    .execute();
}

/** Gives up the deliveries that are to be tried at this time, but whose events have been deleted meanwhile. */
export async function failDeliveriesWithoutEvent(tx: Tx, { tenantId, webhookId }: WebhookKey, at: Date): Promise<void> {
  await updateWhere(tx, "webhookDeliveries", { tenantId, webhookId, status: "pending" })
    .set({ status: "failed", nextAttemptAt: null, error: "the event has been deleted" })
    .where("nextAttemptAt", "<=", at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("events")
            .select("events.eventId")
            .whereRef("events.tenantId", "=", "webhookDeliveries.tenantId")
            .whereRef("events.eventId", "=", "webhookDeliveries.eventId"),
        ),
      ),
    )
    .execute();
}

/** Returns the deliveries of a webhook, those of the newest events first. */
export async function listDeliveries(
  db: Db,
  { tenantId, webhookId, status }: WebhookKey & { readonly status: Delivery["status"] | undefined },
  { after, limit }: Page<string>,
): Promise<ListedPage<Delivery>> {
  const rows = rowsWhere(db, "webhookDeliveries", { tenantId, webhookId, ...(status !== undefined && { status }) })
    .$if(after !== undefined, (query) => query.where("eventId", "<", after ?? ""))
    .orderBy("eventId", "desc");
  return readPage(limit, (max) => rows.limit(max).execute());
}
