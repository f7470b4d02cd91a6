import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { cancelWork, scheduleWorkIfNone } from "../../due-work/due-work.ts";
import { type EventLogName, listLogsWithEvents } from "../../events/queries.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { failPendingDeliveries, listReadyWebhooks, type WebhookKey } from "./queries.ts";

/** The due work that delivers a webhook's new events, and the one that repeats deliveries. Its subject is the webhook. */
export const NEW_EVENTS = { kind: "deliver-webhook-events" };
export const RETRIES = { kind: "retry-webhook-deliveries" };

const TENANTS_CONCURRENT_MAX = 8;

/** Where a process is in the event log. */
export interface FollowedLog {
  /** The number of the transaction from which the log has not been looked through. Undefined at the start. */
  xid?: string;
  /** Logs whose webhooks were read when they may have had another event already. */
  seenAgain: readonly EventLogName[];
}

/**
 * Schedules the webhooks of the logs that have new events. A process that starts schedules all. Any number of processes can
 * run this at the same time. Returns the number of webhooks that were scheduled.
 */
export async function scheduleWebhooks({ db, clock, wakeUps }: App, followed: FollowedLog): Promise<number> {
  const { until, logs } = await listLogsWithEvents(db, followed.xid ?? null);
  const wanted = followed.xid === undefined ? null : [...logs, ...followed.seenAgain];
  const ready = wanted?.length === 0 ? [] : await listReadyWebhooks(db, NEW_EVENTS.kind, wanted);
  const missing = ready.filter(({ attempts }) => attempts === null);
  const dueAt = clock.now();
  const schedule = ({ tenantId, webhookId: subject }: WebhookKey) =>
    withTransaction(db, tenantId, (tx) => scheduleWorkIfNone(tx, NEW_EVENTS, { tenantId, subject, dueAt }));
  const remaining = missing.values();
  await Promise.all(Array.from({ length: TENANTS_CONCURRENT_MAX }, () => tryEach(remaining, schedule)));
  followed.xid = until;
  // One that is being read may have been read before the new events were visible.
  followed.seenAgain = ready.filter(({ attempts }) => (attempts ?? 0) > 0);
  if (missing.length > 0) wakeUps.wake(NEW_EVENTS.kind);
  return missing.length;
}

/** Cancels the work that delivers to a webhook, also while it is done: its result is then not written. */
export async function cancelDeliveries(tx: Tx, { tenantId, webhookId: subject }: WebhookKey): Promise<void> {
  for (const work of [NEW_EVENTS, RETRIES]) await cancelWork(tx, work, { tenantId, subject });
}

/** Gives up what waits for a webhook that is disabled. */
export async function stopDeliveries(tx: Tx, webhook: WebhookKey): Promise<void> {
  await cancelDeliveries(tx, webhook);
  await failPendingDeliveries(tx, webhook);
}
