import { type Static, Type } from "typebox";
import { DELIVERY_STATUSES, WEBHOOK_DISABLED_REASONS } from "../../foundation/vocabulary.ts";
import { ListOf, ModeName, NamedObject, Nullable, OneOf, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { Delivery, Webhook } from "./queries.ts";

const fields = {
  object: Type.Literal("webhook"),
  webhook_id: Type.String(),
  mode: ModeName,
  url: Type.String(),
  description: Nullable(Type.String()),
  event_types: ListOf(Type.String(), "Event types, and beginnings of types such as `payment.*`."),
  project_ids: ListOf(Type.String(), "Only events of these projects. Empty: of all, and of none."),
  agent_ids: ListOf(Type.String(), "Only events of these agents. Empty: of all, and of none."),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(
    OneOf(
      WEBHOOK_DISABLED_REASONS,
      "Why Purser disabled it: no delivery succeeded for five days (`failing`), or the server answered 410 (`gone`). Null if it is enabled, or if you disabled it.",
    ),
  ),
  failing_since: Nullable(Text("Since when no delivery has succeeded. Null if the last one did.", Timestamp)),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const WebhookResource = NamedObject("Webhook", fields);

export const WebhookWithSecret = NamedObject("WebhookWithSecret", {
  ...fields,
  secret: Type.String({
    description: "Verifies deliveries. Shown only in this response. `whsec_` and a key in Base64.",
    examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  }),
  previous_secret_expires_at: Nullable(
    Text("Until when deliveries are also signed with the secret before this one.", Timestamp),
  ),
});

export function presentWebhook(webhook: Webhook): Static<typeof WebhookResource> {
  return toWire(WebhookResource, webhook);
}

export interface IssuedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
  readonly previousSecretExpiresAt: Date | null;
}

export function presentIssuedWebhook({ webhook, ...issued }: IssuedWebhook): Static<typeof WebhookWithSecret> {
  return toWire(WebhookWithSecret, { ...webhook, ...issued });
}

export const WebhookDelivery = NamedObject("WebhookDelivery", {
  object: Type.Literal("webhook_delivery"),
  webhook_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  status: OneOf(
    DELIVERY_STATUSES,
    "`pending`: it is tried again at `next_attempt_at`. `failed`: it is not tried again, but can be replayed.",
  ),
  attempts: Type.Integer(),
  attempted_at: Nullable(
    Text("When it was tried last. Null if it waits for an earlier event of its subject.", Timestamp),
  ),
  next_attempt_at: Nullable(Timestamp),
  response_status: Nullable(Type.Integer(), "The HTTP status of the last answer. Null if there was none."),
  response_body: Nullable(Type.String(), "The start of the last answer: 64 KiB, or 1 KiB after a success."),
  error: Nullable(Type.String(), "Why there was no answer, for example `timeout` or `ECONNREFUSED`."),
  duration_ms: Nullable(Type.Integer(), "How long the last attempt took."),
  created_at: Timestamp,
});

export function presentDelivery(delivery: Delivery): Static<typeof WebhookDelivery> {
  return toWire(WebhookDelivery, delivery);
}
