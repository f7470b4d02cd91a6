import { type Static, Type } from "typebox";
import { isJsonObject, type JsonObject } from "../foundation/canonical-json.ts";
import { ActorOut, Count, ModeName, NamedObject, Nullable, Text, Timestamp } from "../foundation/wire/fields.ts";
import { EVENT_TYPES } from "./event-types.ts";
import type { StoredEvent } from "./queries.ts";

/** The version of the API in which `data` is presented. */
const API_VERSION = "2026-11-01";

const AnyFields = Type.Record(Type.String(), Type.Unknown());

/** An event, in lists, in the stream and as the body of a webhook (docs/rules/events.md). */
export const EventResource = NamedObject("Event", {
  object: Type.Literal("event"),
  id: Text("The id of the event. Webhooks repeat it in the header `webhook-id`."),
  type: Type.Enum([...EVENT_TYPES, "webhook.test"]),
  api_version: Text("The version of the API in which `data` is written."),
  mode: ModeName,
  sequence: Nullable(
    Count(
      "The number of the event among those of its subject, from 1 without gaps. Null if the event changes nothing of its subject.",
    ),
  ),
  subject: Type.Object({
    type: Type.String(),
    id: Type.String(),
    version: Nullable(Count("The same number as `sequence`.")),
  }),
  occurred_at: Timestamp,
  data: Type.Object({
    object: { ...AnyFields, description: "The subject after the change, as the API returns it." },
    previous: Nullable(
      AnyFields,
      "The former values of the fields that the change has changed. Null if the event is the first of its subject, has no `sequence`, or if the event before it has been deleted.",
    ),
  }),
  request_id: Nullable(Type.String(), "The request that made the change. Null if Purser made it by itself."),
  actor: ActorOut,
});

export function presentEvent(event: StoredEvent): Static<typeof EventResource> {
  const { eventId, type, mode, sequence, subjectType, subjectId, occurredAt, data, previousData, requestId } = event;
  const object = isJsonObject(data) ? data : {};
  return {
    object: "event",
    id: eventId,
    type,
    api_version: API_VERSION,
    mode,
    sequence,
    subject: { type: subjectType, id: subjectId, version: sequence },
    occurred_at: occurredAt.toISOString(),
    data: { object, previous: isJsonObject(previousData) ? changedFrom(previousData, object) : null },
    request_id: requestId,
    actor: { type: event.actor.type, id: event.actor.id },
  };
}

function changedFrom(before: JsonObject, after: JsonObject) {
  const changed = Object.entries(before).filter(
    ([name, value]) => Object.hasOwn(after, name) && JSON.stringify(value) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(changed);
}
