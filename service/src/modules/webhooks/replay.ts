import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleNoLater, scheduleWork } from "../../due-work/due-work.ts";
import { findEvents, findStart, type StoredEvent } from "../../events/queries.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";
import { deliverOnce, newDelivery } from "./deliver-in-order.ts";
import { type Delivery, saveDeliveries, type Webhook, webhookRows } from "./queries.ts";
import { cancelDeliveries, NEW_EVENTS, RETRIES } from "./schedule-deliveries.ts";
import { recordWebhookChange, requireWebhook, type WebhookCommand } from "./webhooks.ts";

/** What is delivered again: the events since a time, or some events. */
export type Replay = { readonly since: Date } | { readonly eventIds: readonly string[] };

/**
 * Delivers events again. Those since a time are read from the log once more, and the webhook's filters apply; events by their
 * ids are delivered whatever the filters are. Throws `webhook_not_found`, `conflict` if the webhook is disabled, and
 * `validation_error` for an event that does not exist.
 */
export async function replayEvents(
  app: Pick<App, "db" | "clock" | "wakeUps">,
  { actor, webhookId, replay }: WebhookCommand & { readonly replay: Replay },
): Promise<Webhook> {
  const { tenantId, mode } = actor;
  const events = "since" in replay ? [] : await findReplayed(app, actor, replay.eventIds);
  const since = "since" in replay ? replay.since : null;
  const start = since === null ? null : await findStart(app.db, { tenantId, mode }, since);
  const webhook = await withTransaction(app.db, tenantId, async (tx) => {
    await assertNotRevoked(tx, actor);
    const found = requireWebhook(await webhookRows.lock(tx, { tenantId, webhookId }), mode);
    if (!found.enabled) throw new AppError("conflict", { detail: "The webhook is disabled. Enable it first." });
    const at = app.clock.now();
    const work = { tenantId, subject: webhookId, dueAt: at };
    if (since !== null && start !== null) {
      const isBehind = BigInt(start.xid) <= BigInt(found.readXid);
      // What is being delivered must not move the place forward again.
      await cancelDeliveries(tx, found);
      await webhookRows.update(tx, found, {
        ...{ startsAt: since < found.startsAt ? since : found.startsAt },
        ...(isBehind && { readXid: start.xid, readEventId: start.eventId }),
      });
      await scheduleWork(tx, NEW_EVENTS, work);
    }
    await saveDeliveries(
      tx,
      events.map((event) => newDelivery(found, event, at)),
    );
    await scheduleNoLater(tx, RETRIES, work);
    await recordWebhookChange(tx, actor, { webhook: found, action: "webhook.replayed", at });
    return found;
  });
  for (const { kind } of [NEW_EVENTS, RETRIES]) app.wakeUps.wake(kind);
  return webhook;
}

async function findReplayed(
  { db }: Pick<App, "db">,
  { tenantId, mode }: WebhookCommand["actor"],
  eventIds: readonly string[],
): Promise<StoredEvent[]> {
  const found = (await findEvents(db, tenantId, eventIds)).filter((event) => event.mode === mode);
  const known = new Set(found.map(({ eventId }) => eventId));
  const missing = eventIds.findIndex((eventId) => !known.has(eventId));
  if (missing < 0) return found;
  throw invalidField(`/body/event_ids/${missing}`, "unknown", "is not the id of an event of the last 30 days");
}

/** Sends the event `webhook.test`, also to a disabled webhook, and returns what came of it. */
export async function sendTestEvent(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "webhookSender">,
  { actor, webhookId }: WebhookCommand,
): Promise<Delivery> {
  const { tenantId, mode, requestId } = actor;
  const webhook = requireWebhook(await webhookRows.find(app.db, { tenantId, webhookId }), mode);
  return deliverOnce(app, webhook, {
    ...{ tenantId, mode, requestId, actor: actor.actor, occurredAt: app.clock.now() },
    ...{ eventId: newId("evt"), type: "webhook.test", subjectType: "webhook", subjectId: webhookId },
    ...{ sequence: null, data: { webhook_id: webhookId, mode }, previousData: null, xid: "0" },
  });
}
