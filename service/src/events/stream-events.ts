import type { App } from "../app.ts";
import { AppError } from "../foundation/errors.ts";
import type { EventFeed } from "./event-feed.ts";
import { type EventCursor, findLast, listEventsAfter, type StoredEvent } from "./queries.ts";
import { type EventFilter, type EventLog, matches, placeOf } from "./read-events.ts";

const STREAM_PAGE = 100;
const HEARTBEAT_MS = 5_000;
/** So that connections are distributed anew among the processes from time to time. */
const STREAM_MS_MAX = 15 * 60_000;

interface StreamEvents {
  readonly log: EventLog;
  readonly filter: EventFilter;
  /** The id of the last event that the client has. Undefined for new events only. */
  readonly afterId: string | undefined;
  /** Asked every few seconds, and after each event of this subject: whether the credential is still valid. */
  readonly isAllowed: () => Promise<boolean>;
  readonly credentialId: string;
  /** Aborted if the client disconnects. */
  readonly left: AbortSignal;
}

interface EventStream {
  /** The id of the event after which the stream begins. Null if there is none. */
  readonly lastId: string | null;
  /** Events and, if none of a page is wanted, the id of the last event that was read. It is empty if there is none. */
  readonly events: AsyncGenerator<StoredEvent | string>;
}

/**
 * Returns the log's events as they happen, and a sign of life while there are none that the filter wants. Ends after 15 minutes, when the
 * credential is no longer valid, and when the process stops. Throws `rate_limited` if too many streams are open, and
 * `validation_error` if the event `afterId` does not exist.
 */
export async function openEventStream(
  app: Pick<App, "db" | "eventFeed">,
  { log, afterId, filter, isAllowed, credentialId, left }: StreamEvents,
): Promise<EventStream> {
  const last =
    afterId === undefined ? await findLast(app.db, log) : await placeOf(app.db, log, afterId, "/headers/last-event-id");
  const start = last ?? { xid: "0", eventId: "" };
  const signal = new Signal();
  const stream = { ...log, wake: () => signal.raise() };
  if (!app.eventFeed.add(stream)) {
    throw new AppError("rate_limited", {
      retryAfterSeconds: 5,
      detail: "Too many streams are open. Close some, or read GET /events instead.",
    });
  }
  left.addEventListener("abort", stream.wake);
  const events = eventsUntilLeft(app, stream, { log, filter, isAllowed, credentialId, left, start, signal });
  return { lastId: last?.eventId ?? null, events };
}

interface Reader extends Omit<StreamEvents, "afterId"> {
  readonly start: EventCursor;
  readonly signal: Signal;
}

async function* eventsUntilLeft(
  { db, eventFeed }: Pick<App, "db" | "eventFeed">,
  stream: Parameters<EventFeed["add"]>[0],
  { log, filter, isAllowed, credentialId, left, start, signal }: Reader,
): AsyncGenerator<StoredEvent | string> {
  let after: EventCursor = start;
  const endsAtMs = performance.now() + STREAM_MS_MAX;
  const isOver = () => left.aborted || eventFeed.isClosed || performance.now() > endsAtMs;
  const isStillAllowed = checkOften(isAllowed);
  const mayHaveEnded = (page: readonly StoredEvent[]) =>
    page.length === 0 || page.some(({ subjectId }) => subjectId === credentialId);
  try {
    while (!isOver()) {
      const { items, hasMore } = await listEventsAfter(db, { ...log, after, limit: STREAM_PAGE });
      after = items.at(-1) ?? after;
      if (!(await isStillAllowed(mayHaveEnded(items)))) return;
      const wanted = items.filter((event) => matches(event, filter));
      yield* wanted.length === 0 ? [after.eventId] : wanted;
      if (!hasMore) await signal.wait(HEARTBEAT_MS);
    }
  } finally {
    eventFeed.remove(stream);
    left.removeEventListener("abort", stream.wake);
  }
}

/** Returns a function that calls `isAllowed` if `must` is true or the last call was five seconds ago, and otherwise returns true. */
function checkOften(isAllowed: () => Promise<boolean>): (must: boolean) => Promise<boolean> {
  let checkedAtMs = performance.now();
  return async (must) => {
    if (!must && performance.now() - checkedAtMs < HEARTBEAT_MS) return true;
    checkedAtMs = performance.now();
    return await isAllowed();
  };
}

/** Something that another part of the process raises, also before it is waited for. */
class Signal {
  #isRaised = false;
  #wake = () => {};

  raise(): void {
    this.#isRaised = true;
    this.#wake();
  }

  /** Resolves when it is raised, or was since the last call, or after this time. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = () => {};
    }
    this.#isRaised = false;
  }
}
