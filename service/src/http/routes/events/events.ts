import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { EventResource, presentEvent } from "../../../events/event-resource.ts";
import { EVENT_TYPES } from "../../../events/event-types.ts";
import { type EventFilter, getEvent, listEvents } from "../../../events/read-events.ts";
import { openEventStream } from "../../../events/stream-events.ts";
import { STORABLE_TEXT, Text } from "../../../foundation/wire/fields.ts";
import { loadApiKey } from "../../../modules/developers/keys/load-api-key.ts";
import { isLiveSession } from "../../../modules/developers/sessions/live-session.ts";
import { principalOf, scopeOf } from "../../auth/principal.ts";
import { cursorPage, cursorQuery, decodeCursor, LIMIT_DEFAULT, presentPageBefore } from "../../cursor.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { agentFilter } from "../agents/agent-fields.ts";

export const EVENT_ID_FORM = /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const EVENT_ID = Type.String({ pattern: EVENT_ID_FORM.source });

const SUBJECTS = new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf("."))));

/** A type of events, or the beginning of types with an asterisk. */
export const EventTypeIn = Type.Enum(["*", ...[...SUBJECTS].map((subject) => `${subject}.*`), ...EVENT_TYPES], {
  $id: "EventTypePattern",
  type: "string",
  description: "An event type such as `payment.confirmed`, all types of a subject such as `payment.*`, or `*` for all.",
});

const FilterQuery = {
  type: Type.Optional(EventTypeIn),
  subject_id: Type.Optional(
    Text("Returns only events of the subject with this id.", { ...STORABLE_TEXT, maxLength: 100 }),
  ),
  project_id: Type.Optional(
    Text("Returns only events of this project, and of what belongs to it.", { ...STORABLE_TEXT, maxLength: 64 }),
  ),
  agent_id: agentFilter("Returns only events of this agent, of what belongs to it, and of what it did."),
};

type FilterIn = { readonly [Name in keyof typeof FilterQuery]?: string };

function filterOf({ type, subject_id, project_id, agent_id }: FilterIn): EventFilter {
  return { type, subjectId: subject_id, projectId: project_id, agentId: agent_id?.toLowerCase() };
}

/** A transaction's number and an event's id. */
const POSITION = /^(?:0|[1-9]\d{0,18}) evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const listEventsRoute = endpoint("GET /api/v1/svc/events", {
  operationId: "listEvents",
  sdk: "events.list",
  summary: "List events",
  description:
    "Returns the events of the last 30 days, newest first. With `after`, returns the events after that one, oldest first: a program that polls sends the id of the last event that it has. With a filter or long events, a page can have few or no events even if `has_more` is true.",
  auth: "tenant",
  scope: "events:read",
  query: cursorQuery({
    after: Type.Optional({
      ...EVENT_ID,
      description: "The id of an event. Returns the events after it, oldest first.",
    }),
    ...FilterQuery,
  }),
  answers: { 200: cursorPage(EventResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, after, ...filter } = request.query;
    const [xid, eventId] = decodeCursor(cursor, POSITION)?.split(" ") ?? [];
    const { events, next } = await listEvents(app, {
      log: scopeOf(request),
      filter: filterOf(filter),
      afterId: after,
      cursor: xid === undefined || eventId === undefined ? undefined : { xid, eventId },
      limit,
    });
    return presentPageBefore(events.map(presentEvent), next === null ? null : `${next.xid} ${next.eventId}`);
  },
});

const getEventRoute = endpoint("GET /api/v1/svc/events/:event_id", {
  operationId: "getEvent",
  sdk: "events.get",
  summary: "Get an event",
  description: "Returns an event of the last 30 days.",
  auth: "tenant",
  scope: "events:read",
  answers: { 200: EventResource },
  run: async (app, request) =>
    presentEvent(await getEvent(app, scopeOf(request), pathId("evt", request.params.event_id))),
});

const streamEventsRoute = endpoint("GET /api/v1/svc/events/stream", {
  operationId: "streamEvents",
  sdk: "events.stream",
  summary: "Stream events",
  description:
    "Sends events as they happen, as server-sent events: the field `id` is the event's id, `event` its type, and `data` the event as JSON. While there is nothing to send, a comment is sent at least every 5 seconds, with the `id` of the last event that was read. The stream ends after 15 minutes, and when the key is revoked or the session ends. To continue, connect again with the last id in `Last-Event-ID`; without it, only new events are sent. At most 20 streams of an account are open in a process.",
  auth: "tenant",
  scope: "events:read",
  isEventStream: true,
  responseHeaders: ["X-Accel-Buffering"],
  headers: Type.Object({
    "last-event-id": Type.Optional({ ...EVENT_ID, description: "The id of the last event that the client has." }),
  }),
  query: Type.Object(FilterQuery, { additionalProperties: false }),
  answers: {
    200: {
      description: "Server-sent events.",
      content: { "text/event-stream": { schema: Type.Unsafe<Readable>({ type: "string" }) } },
    },
  },
  run: async (app, request, reply) => {
    const lastEventId = request.headers["last-event-id"];
    const left = new AbortController();
    reply.raw.once("close", () => left.abort());
    const stream = await openEventStream(app, {
      log: scopeOf(request),
      filter: filterOf(request.query),
      afterId: typeof lastEventId === "string" ? lastEventId : undefined,
      credentialId: credentialIdOf(request),
      isAllowed: () => isStillAllowed(app, request),
      left: left.signal,
    });
    return reply
      .code(200)
      .header("content-type", "text/event-stream; charset=utf-8")
      .header("cache-control", "no-store")
      .header("x-accel-buffering", "no")
      .send(Readable.from(linesOf(stream), { objectMode: false, highWaterMark: 0 }));
  },
});

async function* linesOf({ lastId, events }: Awaited<ReturnType<typeof openEventStream>>) {
  // Sent at once, so that the client knows that the stream is open, and where it continues if it breaks before an event.
  yield lastId === null ? ": open\n\n" : `id: ${lastId}\n\n`;
  for await (const event of events) {
    // The id lets a client that connects again continue after the events that its filter left out.
    yield typeof event === "string"
      ? `: nothing new\n${event === "" ? "" : `id: ${event}\n`}\n`
      : `id: ${event.eventId}\nevent: ${event.type}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
  }
}

function credentialIdOf(request: FastifyRequest): string {
  const principal = principalOf(request);
  return principal.kind === "api_key" ? principal.keyId : principal.sessionId;
}

/** Returns true if the credential of the request could still make it. */
async function isStillAllowed(app: App, request: FastifyRequest): Promise<boolean> {
  const principal = principalOf(request);
  const at = app.clock.now();
  if (principal.kind === "session") return isLiveSession(app, { ...principal, at });
  const key = await loadApiKey(app, principal.keyHash);
  return key !== undefined && (key.endsAt === null || key.endsAt > at);
}

export const eventRoutes: readonly Route[] = [listEventsRoute, streamEventsRoute, getEventRoute];
