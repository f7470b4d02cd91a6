import { type Static, Type } from "typebox";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { invalidField } from "../../../foundation/errors.ts";
import { DELIVERY_STATUSES } from "../../../foundation/vocabulary.ts";
import { AgentIdsIn, agentIdsOf } from "../../../foundation/wire/agent-ids.ts";
import {
  Clearable,
  Flag,
  NamedObject,
  OneOf,
  PRINTABLE_TEXT,
  StrictObject,
  Text,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";
import { listDeliveries, listWebhooks, type Webhook } from "../../../modules/webhooks/queries.ts";
import { replayEvents, sendTestEvent } from "../../../modules/webhooks/replay.ts";
import {
  type IssuedWebhook,
  presentDelivery,
  presentIssuedWebhook,
  presentWebhook,
  WebhookDelivery,
  WebhookResource,
  WebhookWithSecret,
} from "../../../modules/webhooks/webhook-resource.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookFields,
} from "../../../modules/webhooks/webhooks.ts";
import { actorOf, principalOf, scopeOf } from "../../auth/principal.ts";
import {
  CursorQuery,
  cursorPage,
  cursorQuery,
  decodeCursor,
  decodeIdCursor,
  LIMIT_DEFAULT,
  presentPage,
} from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { EVENT_ID_FORM, EventTypeIn } from "../events/events.ts";

const fields = {
  url: Text(
    "Where events are sent: an https URL without a user name, whose host has only public addresses. Redirects are not followed.",
    { maxLength: 2_000, pattern: "^https?://[^\\s\\x00]+$" },
  ),
  event_types: Type.Array(EventTypeIn, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: "The events to send: types, all types of a subject such as `payment.*`, or `*` for all.",
  }),
  description: Type.Optional(Clearable(Text("A note.", { ...PRINTABLE_TEXT, maxLength: 500 }))),
  project_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 50,
      uniqueItems: true,
      description: "Sends only events of these projects, and of what belongs to them. Default: all.",
    }),
  ),
  agent_ids: Type.Optional(
    AgentIdsIn("Sends only events of these agents, of what belongs to them, and of what they did. Default: all."),
  ),
  enabled: Type.Optional(Flag("Whether events are sent. Default: true.")),
};

const CreateWebhookRequest = StrictObject("CreateWebhookRequest", fields);
const UpdateWebhookRequest = StrictObject("UpdateWebhookRequest", {
  ...fields,
  url: Type.Optional(fields.url),
  event_types: Type.Optional(fields.event_types),
});

function fieldsOf(body: Static<typeof UpdateWebhookRequest>): Partial<WebhookFields> {
  const { url, event_types, description, project_ids, agent_ids, enabled } = body;
  return {
    ...(url !== undefined && { url }),
    ...(event_types !== undefined && { eventTypes: event_types }),
    ...(description !== undefined && { description }),
    ...(project_ids !== undefined && { projectIds: project_ids }),
    ...(agent_ids !== undefined && { agentIds: agentIdsOf(agent_ids) }),
    ...(enabled !== undefined && { enabled }),
  };
}

const createWebhookRoute = endpoint("POST /api/v1/svc/webhooks", {
  operationId: "createWebhook",
  sdk: "webhooks.create",
  summary: "Create a webhook",
  description:
    "Sends the events of the mode from now on to a URL, signed as Standard Webhooks 1.0 says. The secret is returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`.",
  auth: "tenant",
  scope: "webhooks:write",
  replayGuard: "always",
  body: CreateWebhookRequest,
  answers: { 201: WebhookWithSecret },
  errors: ["conflict"],
  example: { url: "https://example.com/purser", event_types: ["payment.*"] },
  run: async (app, request, reply) => {
    const { body } = request;
    const defaults = { description: null, projectIds: [], agentIds: [], enabled: true };
    const wanted = { ...defaults, ...fieldsOf(body), url: body.url, eventTypes: body.event_types };
    const options = {
      status: 201,
      secret: true,
      present: (issued: IssuedWebhook) => presentIssuedWebhook(issued),
    } as const;
    return replyOnce(app, request, reply, options, (saveResponse) =>
      createWebhook(app, { actor: actorOf(request), fields: wanted }, saveResponse),
    );
  },
});

const listWebhooksRoute = endpoint("GET /api/v1/svc/webhooks", {
  operationId: "listWebhooks",
  sdk: "webhooks.list",
  summary: "List webhooks",
  description: "Returns the webhooks of the mode, newest first.",
  auth: "tenant",
  scope: "webhooks:read",
  query: CursorQuery,
  answers: { 200: cursorPage(WebhookResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const page = await listWebhooks(app.db, scopeOf(request), { after: decodeIdCursor(cursor, "wh"), limit });
    return presentPage(page, presentWebhook, "webhookId");
  },
});

const getWebhookRoute = endpoint("GET /api/v1/svc/webhooks/:webhook_id", {
  operationId: "getWebhook",
  sdk: "webhooks.get",
  summary: "Get a webhook",
  description: "Returns a webhook, and whether it fails.",
  auth: "tenant",
  scope: "webhooks:read",
  answers: { 200: WebhookResource },
  run: async (app, request) =>
    presentWebhook(await getWebhook(app.db, scopeOf(request), pathId("wh", request.params.webhook_id))),
});

const updateWebhookRoute = endpoint("PATCH /api/v1/svc/webhooks/:webhook_id", {
  operationId: "updateWebhook",
  sdk: "webhooks.update",
  summary: "Update a webhook",
  description:
    "Changes the fields that are sent. A webhook that is disabled gives up what it waits for. One that is enabled again gets the events from now on; replay those that it has missed.",
  auth: "tenant",
  scope: "webhooks:write",
  replayGuard: "strict",
  body: UpdateWebhookRequest,
  answers: { 200: WebhookResource },
  example: { event_types: ["payment.*", "service.active"] },
  run: async (app, request, reply) => {
    const command = {
      actor: actorOf(request),
      webhookId: pathId("wh", request.params.webhook_id),
      fields: fieldsOf(request.body),
    };
    const options = { status: 200, present: (webhook: Webhook) => presentWebhook(webhook) } as const;
    return replyOnce(app, request, reply, options, (saveResponse) => updateWebhook(app, command, saveResponse));
  },
});

const deleteWebhookRoute = endpoint("DELETE /api/v1/svc/webhooks/:webhook_id", {
  operationId: "deleteWebhook",
  sdk: "webhooks.delete",
  summary: "Delete a webhook",
  description: "Deletes a webhook, its secrets and its deliveries. What waits is not delivered.",
  auth: "tenant",
  scope: "webhooks:write",
  replayGuard: "strict",
  answers: { 200: WebhookResource },
  run: async (app, request) => {
    const webhookId = pathId("wh", request.params.webhook_id);
    return presentWebhook(await deleteWebhook(app, { actor: actorOf(request), webhookId }));
  },
});

const rotateWebhookSecretRoute = endpoint("POST /api/v1/svc/webhooks/:webhook_id/rotate-secret", {
  operationId: "rotateWebhookSecret",
  sdk: "webhooks.rotateSecret",
  summary: "Rotate a webhook's secret",
  description:
    "Returns a new secret. For 24 hours, deliveries are signed with the new secret and with the one before it; a secret older than these two stops working immediately.",
  auth: "tenant",
  scope: "webhooks:write",
  replayGuard: "always",
  answers: { 200: WebhookWithSecret },
  run: async (app, request, reply) => {
    const command = { actor: actorOf(request), webhookId: pathId("wh", request.params.webhook_id) };
    const options = {
      status: 200,
      secret: true,
      present: (issued: IssuedWebhook) => presentIssuedWebhook(issued),
    } as const;
    return replyOnce(app, request, reply, options, (saveResponse) => rotateSecret(app, command, saveResponse));
  },
});

const testWebhookRoute = endpoint("POST /api/v1/svc/webhooks/:webhook_id/test", {
  operationId: "testWebhook",
  sdk: "webhooks.test",
  summary: "Send a test event",
  description:
    "Sends the event `webhook.test` once, also to a disabled webhook, and returns what the server answered. The event is not in the event log, and the delivery is not in the list of deliveries.",
  auth: "tenant",
  scope: "webhooks:write",
  replayGuard: "strict",
  answers: { 200: WebhookDelivery },
  run: async (app, request) => {
    const { tenantId } = principalOf(request);
    const limit = { limit: QUOTAS.webhookTests.max, windowMs: 60_000 };
    enforceCallLimit(await countCall(app, `webhook-test:${tenantId}`, limit));
    const webhookId = pathId("wh", request.params.webhook_id);
    return presentDelivery(await sendTestEvent(app, { actor: actorOf(request), webhookId }));
  },
});

const ReplayWebhookRequest = StrictObject("ReplayWebhookRequest", {
  since: Type.Optional({
    ...Timestamp,
    description: "Delivers again all events since this time that the webhook wants.",
  }),
  event_ids: Type.Optional(
    Type.Array(Text("The id of an event.", { pattern: EVENT_ID_FORM.source }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: "Delivers these events again, whatever the webhook wants.",
    }),
  ),
});

const WebhookReplay = NamedObject("WebhookReplay", {
  object: Type.Literal("webhook_replay"),
  webhook_id: Type.String(),
  since: Type.Union([Timestamp, Type.Null()]),
  event_ids: Type.Array(Type.String()),
});

const replayWebhookRoute = endpoint("POST /api/v1/svc/webhooks/:webhook_id/replay", {
  operationId: "replayWebhook",
  sdk: "webhooks.replay",
  summary: "Replay events",
  description:
    "Delivers events of the last 30 days again: either all `since` a time, in their order, or those in `event_ids`. Fails with `conflict` if the webhook is disabled.",
  auth: "tenant",
  scope: "webhooks:write",
  replayGuard: "strict",
  body: ReplayWebhookRequest,
  answers: { 202: WebhookReplay },
  errors: ["conflict"],
  example: { since: "2026-11-21T10:00:00.000Z" },
  run: async (app, request, reply) => {
    const { since, event_ids: eventIds } = request.body;
    if ((since === undefined) === (eventIds === undefined)) {
      throw invalidField("/body", "oneOf", "must have either since or event_ids");
    }
    const replay = since === undefined ? { eventIds: eventIds ?? [] } : { since: new Date(since) };
    const webhookId = pathId("wh", request.params.webhook_id);
    await replayEvents(app, { actor: actorOf(request), webhookId, replay });
    return reply.code(202).send({
      ...{ object: "webhook_replay", webhook_id: webhookId },
      ...{ since: since === undefined ? null : new Date(since).toISOString(), event_ids: [...(eventIds ?? [])] },
    });
  },
});

const DeliveriesQuery = cursorQuery({
  status: Type.Optional(OneOf(DELIVERY_STATUSES, "Returns only deliveries that have this status now.")),
});

const listDeliveriesRoute = endpoint("GET /api/v1/svc/webhooks/:webhook_id/deliveries", {
  operationId: "listWebhookDeliveries",
  sdk: "webhooks.deliveries",
  summary: "List deliveries",
  description:
    "Returns the deliveries of the last 30 days, those of the newest events first, each with its last attempt and the start of the answer.",
  auth: "tenant",
  scope: "webhooks:read",
  query: DeliveriesQuery,
  answers: { 200: cursorPage(WebhookDelivery) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, status } = request.query;
    const webhook = await getWebhook(app.db, scopeOf(request), pathId("wh", request.params.webhook_id));
    const page = await listDeliveries(
      app.db,
      { ...webhook, status },
      { after: decodeCursor(cursor, EVENT_ID_FORM), limit },
    );
    return presentPage(page, presentDelivery, "eventId");
  },
});

export const webhookRoutes: readonly Route[] = [
  createWebhookRoute,
  listWebhooksRoute,
  getWebhookRoute,
  updateWebhookRoute,
  deleteWebhookRoute,
  rotateWebhookSecretRoute,
  testWebhookRoute,
  replayWebhookRoute,
  listDeliveriesRoute,
];
