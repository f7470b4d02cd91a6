import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import { type DueWork, type Finish, scheduleNoLater } from "../../due-work/due-work.ts";
import type { DueItem } from "../../due-work/queries.ts";
import { type EventEntry, recordEntryAndEvent } from "../../events/events.ts";
import { type EventCursor, findEvents, listEventsAfter, type StoredEvent } from "../../events/queries.ts";
import { isOfType, matches } from "../../events/read-events.ts";
import type { WebhookId } from "../../foundation/ids.ts";
import type { WebhookDisabledReason } from "../../foundation/vocabulary.ts";
import { enqueueNoticeEmail } from "../developers/enqueue-emails.ts";
import { developerRows } from "../developers/queries.ts";
import {
  deliverInOrder,
  HTTP_GONE,
  type Item,
  NOTHING_TRIED,
  type Outcome,
  probe,
  subjectOf,
} from "./deliver-in-order.ts";
import {
  failDeliveriesWithoutEvent,
  findNextAttempt,
  hastenDeliveries,
  listPendingDeliveries,
  listWaitingSubjects,
  saveDeliveries,
  type WaitingSubject,
  type Webhook,
  webhookRows,
} from "./queries.ts";
import { NEW_EVENTS, RETRIES, stopDeliveries } from "./schedule-deliveries.ts";
import { presentWebhook } from "./webhook-resource.ts";
import { originOf } from "./webhooks.ts";

const PAGE_MAX = 200;
const SECOND_MS = 1_000;
/** A webhook to which nothing could be delivered is tried again after pauses that double from the first to the last. */
const PROBE_MS = { first: 5 * SECOND_MS, max: 60 * SECOND_MS };
const FAILING_MS_MAX = 5 * 24 * 3_600_000;

/** What the two kinds of work have in common. Webhooks are independent: a slow one delays no other. */
const WORK = {
  everyMs: SECOND_MS / 10,
  idleEveryMs: SECOND_MS,
  leaseMs: 60 * SECOND_MS,
  retryMs: { first: SECOND_MS, max: 60 * SECOND_MS },
  stopsAtFailure: false,
  isParallel: true,
  tenantsConcurrentMax: 200,
} as const;

/**
 * Delivers the events that a webhook has not read yet, a page at a time. While its server is down, they stay unread, and one
 * event is tried after pauses of up to a minute.
 */
export const deliverNewEvents: DueWork = {
  ...WORK,
  ...NEW_EVENTS,
  run: async (app, { tenantId, subject }) => {
    const webhook = await findEnabled(app, { tenantId, subject });
    if (webhook === undefined) return undefined;
    const { mode, readXid: xid, readEventId: eventId } = webhook;
    const after = { xid, eventId };
    const { items: page, hasMore } = await listEventsAfter(app.db, { tenantId, mode, after, limit: PAGE_MAX });
    const last = page.at(-1);
    if (last === undefined) return undefined;
    const items = page.filter((event) => isFor(webhook, event)).map((event) => ({ event, delivery: undefined }));
    const read = { last, hasMore };
    if (webhook.failures > 0 && items.length > 0) return tryFailing(app, webhook, { items, read });
    const waiting = await listWaitingSubjects(app.db, webhook, { at: app.clock.now(), includesDue: true });
    return finish(app, webhook, await deliverInOrder(app, webhook, { items, waiting }), read);
  },
};

interface NewItems {
  readonly items: readonly Item[];
  readonly read: ReadPage;
}

/**
 * Tries one event of a server that was down: in turn the oldest that waits and a new one, because the server may refuse only
 * some. If it accepts a new one, delivers the others, except those that come after one that waits.
 */
async function tryFailing(app: App, webhook: Webhook, { items, read }: NewItems): Promise<Finish> {
  const [oldest] = await readPending(app, webhook, { at: null, limit: 1 });
  const waiting = await listWaitingSubjects(app.db, webhook, { at: null, includesDue: true });
  const probed = pickNew(webhook, items, waiting);
  if (oldest !== undefined && (probed === undefined || webhook.failures % 2 === 0)) {
    return finish(app, webhook, await probe(app, webhook, oldest));
  }
  const outcome = probed === undefined ? NOTHING_TRIED : await probe(app, webhook, probed);
  if (outcome.successes === 0) return finish(app, webhook, outcome);
  const others = items.filter((item) => item !== probed);
  const { deliveries, ...counts } = await deliverInOrder(app, { ...webhook, failures: 0 }, { items: others, waiting });
  return finish(app, webhook, { ...counts, deliveries: [...outcome.deliveries, ...deliveries], successes: 1 }, read);
}

/** Returns a new event that none of its subject has to come before, each time another one. Undefined if there is none. */
function pickNew({ failures }: Webhook, items: readonly Item[], waiting: readonly WaitingSubject[]): Item | undefined {
  const held = new Set(waiting.map(subjectOf));
  const firstOfSubjects = new Map(items.toReversed().map((item) => [subjectOf(item.event), item]));
  const candidates = [...firstOfSubjects].filter(([subject]) => !held.has(subject));
  // Of two attempts, one is with a new event.
  return candidates[Math.floor(failures / 2) % candidates.length]?.[1];
}

/** Repeats the deliveries of a webhook that are due. */
export const retryDeliveries: DueWork = {
  ...WORK,
  ...RETRIES,
  run: async (app, item) => {
    const webhook = await findEnabled(app, item);
    if (webhook === undefined) return undefined;
    const at = app.clock.now();
    const items = await readPending(app, webhook, { at, limit: PAGE_MAX });
    if (items.length === 0) {
      return async (tx) => {
        await failDeliveriesWithoutEvent(tx, webhook, at);
        await scheduleRetries(tx, webhook);
      };
    }
    // An earlier event of a subject can wait again since a run that did not read all of them.
    const waiting = await listWaitingSubjects(app.db, webhook, { at, includesDue: false });
    return finish(app, webhook, await deliverInOrder(app, webhook, { items, waiting }));
  },
};

/** Returns the deliveries that wait, with their events. */
async function readPending(
  { db }: Pick<App, "db">,
  webhook: Webhook,
  page: Parameters<typeof listPendingDeliveries>[2],
) {
  const pending = await listPendingDeliveries(db, webhook, page);
  const ids = pending.map(({ eventId }) => eventId);
  const events = new Map((await findEvents(db, webhook.tenantId, ids)).map((event) => [event.eventId, event]));
  return pending.flatMap((delivery) => {
    const event = events.get(delivery.eventId);
    return event === undefined ? [] : [{ event, delivery }];
  });
}

function findEnabled(
  { db }: Pick<App, "db">,
  { tenantId, subject }: Pick<DueItem, "tenantId" | "subject">,
): Promise<Webhook | undefined> {
  return webhookRows
    .find(db, { tenantId, webhookId: subject as WebhookId })
    .then((webhook) => (webhook?.enabled === true ? webhook : undefined));
}

/** Returns true if the webhook wants the event. */
function isFor({ startsAt, eventTypes, projectIds, agentIds }: Webhook, event: StoredEvent): boolean {
  const isOneOf = (ids: readonly string[], name: "projectId" | "agentId") =>
    ids.length === 0 || ids.some((id) => matches(event, { [name]: id }));
  return (
    event.occurredAt >= startsAt &&
    eventTypes.some((type) => isOfType(event.type, type)) &&
    isOneOf(projectIds, "projectId") &&
    isOneOf(agentIds, "agentId")
  );
}

/** What was read from the event log: the last event, and whether there may be more. */
interface ReadPage {
  readonly last: EventCursor;
  readonly hasMore: boolean;
}

/**
 * Returns what writes the deliveries, and what they say about the webhook: since when its server is down, that it is back, or
 * that it is disabled. The webhook is locked first, so that of two runs the later one schedules the next attempt.
 */
function finish(
  { clock }: Pick<App, "clock">,
  { tenantId, webhookId }: Webhook,
  outcome: Outcome,
  read?: ReadPage,
): Finish {
  return async (tx) => {
    const before = await webhookRows.lock(tx, { tenantId, webhookId });
    if (before?.enabled !== true) return;
    await saveDeliveries(tx, outcome.deliveries);
    const at = clock.now();
    const webhook = await webhookRows.updateAndGet(tx, before, {
      ...healthAfter(before, outcome, { isOfNewEvents: read !== undefined, at }),
      ...(read !== undefined && { readXid: read.last.xid, readEventId: read.last.eventId }),
    });
    const reason = reasonToDisable(webhook, outcome, at);
    if (reason !== null) return disableWebhook(tx, webhook, reason, at);
    if (webhook.failures < before.failures) await hastenDeliveries(tx, webhook, at);
    // What comes later is scheduled when it comes.
    const hasMore = read?.hasMore === true || before.failures > 0 || webhook.failures > 0;
    await scheduleNext(tx, webhook, { hasMore, at });
  };
}

async function scheduleNext(
  tx: Tx,
  webhook: Webhook,
  { hasMore, at }: { readonly hasMore: boolean; readonly at: Date },
): Promise<void> {
  const { tenantId, webhookId: subject, failures } = webhook;
  const pauseMs = failures === 0 ? 0 : Math.min(PROBE_MS.max, PROBE_MS.first * 2 ** (failures - 1));
  if (hasMore) await scheduleNoLater(tx, NEW_EVENTS, { tenantId, subject, dueAt: new Date(at.getTime() + pauseMs) });
  await scheduleRetries(tx, webhook);
}

async function scheduleRetries(tx: Tx, webhook: Webhook): Promise<void> {
  const { tenantId, webhookId: subject } = webhook;
  const dueAt = await findNextAttempt(tx, webhook);
  if (dueAt !== null) await scheduleNoLater(tx, RETRIES, { tenantId, subject, dueAt });
}

/** A server is down if all attempts with new events failed. If it refuses an event again, it may take the others. */
function healthAfter(
  before: Webhook,
  { failures, successes }: Outcome,
  { isOfNewEvents, at }: { readonly isOfNewEvents: boolean; readonly at: Date },
) {
  if (successes > 0) return { failures: 0, failingSince: null };
  if (failures === 0) return {};
  const isDown = before.failures > 0 || isOfNewEvents;
  return { failures: isDown ? before.failures + 1 : 0, failingSince: before.failingSince ?? at };
}

function reasonToDisable(
  { failingSince }: Webhook,
  { deliveries, failures }: Outcome,
  at: Date,
): WebhookDisabledReason | null {
  if (deliveries.some(({ responseStatus }) => responseStatus === HTTP_GONE)) return "gone";
  if (failures === 0 || failingSince === null) return null;
  return at.getTime() - failingSince.getTime() >= FAILING_MS_MAX ? "failing" : null;
}

/** Disables a webhook, with an event for the other webhooks and an email. */
async function disableWebhook(tx: Tx, webhook: Webhook, reason: WebhookDisabledReason, at: Date): Promise<void> {
  const { tenantId, webhookId } = webhook;
  const origin = originOf(webhook);
  await stopDeliveries(tx, webhook);
  const disabled = await webhookRows.updateAndGet(tx, webhook, {
    ...{ enabled: false, disabledReason: reason, updatedAt: at },
  });
  const { email } = await developerRows.get(tx, { tenantId });
  const facts = {
    origin,
    reason: reason === "gone" ? "its server answered 410 Gone" : "no delivery succeeded for five days",
  };
  await enqueueNoticeEmail(tx, { tenantId, template: "webhook_disabled", to: email, facts, at });
  const entry: EventEntry = {
    action: "webhook.disabled",
    subject: { type: "webhook", id: webhookId },
    facts: { origin, reason },
    occurredAt: at,
  };
  await recordEntryAndEvent(tx, systemActor(webhook), entry, () => presentWebhook({ ...disabled, url: origin }));
}
