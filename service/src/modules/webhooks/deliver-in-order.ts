import type { KeyObject } from "node:crypto";
import pLimit, { type LimitFunction } from "p-limit";
import type { App } from "../../app.ts";
import { presentEvent } from "../../events/event-resource.ts";
import type { StoredEvent } from "../../events/queries.ts";
import type { WebhookAnswer } from "../../ports/webhook-sender.ts";
import type { Delivery, WaitingSubject, Webhook } from "./queries.ts";
import { deliveryHeaders, openSecrets } from "./webhook-secrets.ts";

/** The pauses after each failed attempt. There is none after the last one. */
const PAUSES_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];
/** A pause is longer by a random time of up to this share of it. */
const JITTER = 0.1;
/** How many failures, before any success, end a run. One is enough for a server that was down already. */
const FAILURES_MAX = 8;
/** What is not tried because the server is down waits this long. */
const HELD_MS = 60_000;
/** How long a run starts attempts. It ends before the lease of its work does. The next run tries the rest at once. */
const RUN_MS_MAX = 20_000;
const TENANT_CONCURRENT_MAX = 8;
/** A slow webhook leaves something for the others of its account. */
const WEBHOOK_CONCURRENT_MAX = 6;
const SUCCESS_BODY_MAX = 1_024;
/** How many characters of answers a run keeps. Later ones are cut like those of successes, so that memory has a bound. */
const BODIES_MAX = 512 * 1_024;
export const HTTP_GONE = 410;

/** An event to deliver, and what is known of its delivery. */
export interface Item {
  readonly event: StoredEvent;
  /** Undefined if it was not tried yet. */
  readonly delivery: Delivery | undefined;
}

type Access = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "webhookSender">;

/** The deliveries of a tenant's mode in this process, at most eight at once. */
const limits = new Map<string, LimitFunction>();

async function limited<Result>({ tenantId, mode }: Webhook, run: () => Promise<Result>): Promise<Result> {
  const key = `${tenantId} ${mode}`;
  const limit = limits.get(key) ?? pLimit(TENANT_CONCURRENT_MAX);
  limits.set(key, limit);
  try {
    return await limit(run);
  } finally {
    if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
  }
}

/** What came of a run: the deliveries as they are then, and how many attempts failed and succeeded. */
export interface Outcome {
  readonly deliveries: readonly Delivery[];
  readonly failures: number;
  readonly successes: number;
}

export const NOTHING_TRIED: Outcome = { deliveries: [], failures: 0, successes: 0 };

/**
 * Tries to deliver the events. Those of one subject are tried one after another, in their order: an event that has failed once
 * holds the later ones back, one that has failed twice does not. `waiting` are subjects of which an earlier event waits. After
 * eight failures without a success, or one if the server was down, nothing more is tried.
 */
export async function deliverInOrder(
  app: Access,
  webhook: Webhook,
  { items, waiting }: { readonly items: readonly Item[]; readonly waiting: readonly WaitingSubject[] },
): Promise<Outcome> {
  if (items.length === 0) return NOTHING_TRIED;
  const secrets = await openSecrets(app, webhook);
  const blockedUntil = new Map(
    waiting.map((subject) => [subjectOf(subject), subject.nextAttemptAt ?? app.clock.now()]),
  );
  const startedAtMs = performance.now();
  const withBoundedBody = boundBodies();
  let [failures, successes] = [0, 0];
  const wasDown = webhook.failures > 0;
  /** How long the next event waits, undefined if it is to be tried now. */
  const pauseMs = () => {
    if (failures >= (wasDown ? 1 : FAILURES_MAX) && successes === 0) return HELD_MS;
    return performance.now() - startedAtMs > RUN_MS_MAX ? 0 : undefined;
  };

  const deliver = async (item: Item): Promise<Delivery> => {
    const until = blockedUntil.get(subjectOf(item.event));
    if (until !== undefined) return held(webhook, item, until, app.clock.now());
    return limited(webhook, async () => {
      const ms = pauseMs();
      if (ms !== undefined) {
        const at = app.clock.now();
        const later = new Date(at.getTime() + ms);
        blockedUntil.set(subjectOf(item.event), later);
        return held(webhook, item, later, at);
      }
      const delivery = withBoundedBody(await attempt(app, webhook, item, secrets));
      if (delivery.status === "delivered") successes += 1;
      else failures += 1;
      if (delivery.status === "pending" && delivery.attempts < 2 && delivery.nextAttemptAt !== null) {
        blockedUntil.set(subjectOf(item.event), delivery.nextAttemptAt);
      }
      return delivery;
    });
  };
  const deliverSubject = async (own: readonly Item[]) => {
    const deliveries: Delivery[] = [];
    for (const item of own) deliveries.push(await deliver(item));
    return deliveries;
  };
  const subjects = Map.groupBy(items, ({ event }) => subjectOf(event));
  const limit = pLimit(wasDown ? 1 : WEBHOOK_CONCURRENT_MAX);
  const deliveries = (await limit.map(subjects.values(), deliverSubject)).flat();
  return { deliveries, failures, successes };
}

type Subject = Pick<WaitingSubject, "subjectType" | "subjectId"> & Partial<Pick<StoredEvent, "sequence" | "eventId">>;

/** Of two events with the same text, the later one waits for the earlier one. An event without a number has no order. */
export function subjectOf({ subjectType, subjectId, sequence, eventId }: Subject): string {
  return sequence === null ? `event ${eventId}` : `${subjectType} ${subjectId}`;
}

function afterPause(at: Date, attempts: number): Date {
  const pauseMs = PAUSES_MS[attempts - 1] ?? 0;
  return new Date(at.getTime() + Math.round(pauseMs * (1 + Math.random() * JITTER)));
}

/** The delivery of an event that is not tried now. */
function held(webhook: Webhook, { event, delivery }: Item, nextAttemptAt: Date, at: Date): Delivery {
  return { ...(delivery ?? newDelivery(webhook, event, at)), nextAttemptAt };
}

/** A delivery that has not been tried. */
export function newDelivery({ tenantId, webhookId }: Webhook, event: StoredEvent, createdAt: Date): Delivery {
  const { eventId, type: eventType, subjectType, subjectId } = event;
  return {
    ...{ tenantId, webhookId, eventId, eventType, subjectType, subjectId, createdAt },
    ...{ status: "pending", attempts: 0, nextAttemptAt: createdAt, attemptedAt: null },
    ...{ responseStatus: null, responseBody: null, error: null, durationMs: null },
  };
}

async function attempt(
  app: Access,
  webhook: Webhook,
  { event, delivery }: Item,
  secrets: readonly KeyObject[],
): Promise<Delivery> {
  const attemptedAt = app.clock.now();
  const answer = await send(app, webhook, { event, secrets });
  const before = delivery ?? newDelivery(webhook, event, attemptedAt);
  const attempts = before.attempts + 1;
  const tried = { ...before, ...answerOf(answer), attempts, attemptedAt };
  if (isSuccess(answer)) return { ...withShortBody(tried), status: "delivered", nextAttemptAt: null };
  if (attempts > PAUSES_MS.length) return { ...tried, status: "failed", nextAttemptAt: null };
  return { ...tried, status: "pending", nextAttemptAt: afterPause(app.clock.now(), attempts) };
}

/** Sends an event to a webhook, signed with these secrets. */
async function send(
  { clock, webhookSender }: Pick<App, "clock" | "webhookSender">,
  { url }: Webhook,
  { event, secrets }: { readonly event: StoredEvent; readonly secrets: readonly KeyObject[] },
): Promise<WebhookAnswer> {
  const body = JSON.stringify(presentEvent(event));
  const headers = deliveryHeaders(secrets, { eventId: event.eventId, body, at: clock.now() });
  return webhookSender.send({ url, headers, body });
}

/** Tries an event to see whether the server is back. A failed attempt does not count. */
export async function probe(app: Access, webhook: Webhook, { event, delivery }: Item): Promise<Outcome> {
  const tried = await attempt(app, webhook, { event, delivery }, await openSecrets(app, webhook));
  if (tried.status === "delivered") return { deliveries: [tried], failures: 0, successes: 1 };
  if (tried.responseStatus === HTTP_GONE) return { deliveries: [tried], failures: 1, successes: 0 };
  if (delivery === undefined) return { ...NOTHING_TRIED, failures: 1 };
  const { attempts, nextAttemptAt } = delivery;
  return { deliveries: [{ ...tried, status: "pending", attempts, nextAttemptAt }], failures: 1, successes: 0 };
}

/** Sends an event that is not in the log, once. Returns the delivery, which is not stored. */
export async function deliverOnce(app: Access, webhook: Webhook, event: StoredEvent): Promise<Delivery> {
  const tried = await attempt(app, webhook, { event, delivery: undefined }, await openSecrets(app, webhook));
  return tried.status === "pending" ? { ...tried, status: "failed", nextAttemptAt: null } : tried;
}

function isSuccess({ status }: WebhookAnswer): boolean {
  return status !== null && status >= 200 && status < 300;
}

function answerOf({ status, body, error, durationMs }: WebhookAnswer) {
  return { responseStatus: status, responseBody: status === null ? null : body, error, durationMs };
}

/** Returns a function that shortens the answers of a run once they are too long together. */
function boundBodies(): (delivery: Delivery) => Delivery {
  let kept = 0;
  return (delivery) => {
    if (kept > BODIES_MAX) return withShortBody(delivery);
    kept += delivery.responseBody?.length ?? 0;
    return delivery;
  };
}

function withShortBody(delivery: Delivery): Delivery {
  if (delivery.responseBody === null) return delivery;
  // A slice alone would keep the whole string in memory.
  const responseBody = Buffer.from(delivery.responseBody.slice(0, SUCCESS_BODY_MAX)).toString();
  return { ...delivery, responseBody };
}
