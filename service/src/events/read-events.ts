import type { App } from "../app.ts";
import type { Db } from "../db/database.ts";
import { isJsonObject } from "../foundation/canonical-json.ts";
import { AppError, invalidField } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";
import { type EventCursor, findEvents, listEventsAfter, listEventsBefore, type StoredEvent } from "./queries.ts";

/** The events of a tenant in one mode. */
export interface EventLog {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}

/** Which events a reader wants. Undefined for all. */
export interface EventFilter {
  /** A type, or the beginning of types with an asterisk, such as `payment.*`. */
  readonly type?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly agentId?: string | undefined;
}

interface ListEvents {
  readonly log: EventLog;
  readonly filter: EventFilter;
  /** The id of an event: only those after it, the oldest first. Undefined for all, the newest first. */
  readonly afterId: string | undefined;
  readonly cursor: EventCursor | undefined;
  readonly limit: number;
}

interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The last event that was read, which the filter may have left out. Null on the last page. */
  readonly next: EventCursor | null;
}

/** The most events that one call reads to find those that a filter wants. */
const FILTERED_MAX = 1_000;

/** Returns a page of events. Throws `validation_error` if the event `afterId` does not exist. */
export async function listEvents(
  { db }: Pick<App, "db">,
  { log, filter, afterId, cursor, limit }: ListEvents,
): Promise<EventPage> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const after = cursor ?? (afterId === undefined ? null : await placeOf(db, log, afterId, "/query/after"));
  const list = afterId === undefined ? listEventsBefore : listEventsAfter;
  const page = await list(db, { ...log, after, limit: isFiltered ? FILTERED_MAX : limit });
  const wanted = page.items.filter((event) => matches(event, filter));
  const events = wanted.slice(0, limit);
  const hasMore = page.hasMore || wanted.length > limit;
  const last = wanted.length > limit ? events.at(-1) : page.items.at(-1);
  return { events, next: hasMore ? (last ?? null) : null };
}

/** Returns the place of an event in the log. Throws `validation_error` if it does not exist. */
export async function placeOf(db: Db, log: EventLog, eventId: string, pointer: string): Promise<EventCursor> {
  const [event] = await findEvents(db, log.tenantId, [eventId]);
  if (event?.mode === log.mode) return event;
  throw invalidField(pointer, "unknown", "is not the id of an event of the last 30 days");
}

/** Returns an event. Throws `event_not_found`. */
export async function getEvent({ db }: Pick<App, "db">, log: EventLog, eventId: string): Promise<StoredEvent> {
  const [event] = await findEvents(db, log.tenantId, [eventId]);
  if (event?.mode === log.mode) return event;
  throw new AppError("event_not_found", { internal: `no event ${eventId} in this mode` });
}

/**
 * Returns true if the reader wants the event. The events of a project or an agent are those about it, those of which the data
 * name it, and those that the agent has caused.
 */
export function matches({ type, subjectType, subjectId, data, actor }: StoredEvent, filter: EventFilter): boolean {
  const named = (name: string) => (isJsonObject(data) ? data[name] : undefined);
  const isAbout = (subject: "project" | "agent", id: string) =>
    named(`${subject}_id`) === id || (subjectType === subject && subjectId === id);
  return (
    (filter.type === undefined || isOfType(type, filter.type)) &&
    (filter.subjectId === undefined || subjectId === filter.subjectId) &&
    (filter.projectId === undefined || isAbout("project", filter.projectId)) &&
    (filter.agentId === undefined || isAbout("agent", filter.agentId) || actor.id === filter.agentId)
  );
}

/** `wanted` is a type, or the beginning of types with an asterisk, such as `payment.*`. */
export function isOfType(type: string, wanted: string): boolean {
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
