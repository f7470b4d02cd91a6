import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { Json } from "../foundation/canonical-json.ts";
import { newId } from "../foundation/ids.ts";
import { insertMessage, type NewOutboxMessage } from "./queries.ts";

export interface OutboxEvent {
  /** One of the types of contract section 7: `project.created`. */
  readonly type: string;
  readonly subject: { readonly type: string; readonly id: string };
  /** The object as its presenter shows it. Never a secret. */
  readonly data: Json;
  readonly occurredAt: Date;
}

/** Announces what happened, in the transaction in which it happens. The relay appends it to the event log afterwards, once. */
export async function enqueueEvent(tx: Tx, actor: Actor, event: OutboxEvent): Promise<void> {
  await insertMessage(tx, eventMessageOf(actor, event));
}

/** What is left in the outbox of an event, under an id of its own. */
export function eventMessageOf(
  { tenantId, mode, actor, requestId }: Actor,
  { type, subject, data, occurredAt }: OutboxEvent,
): NewOutboxMessage {
  return {
    tenantId,
    mode,
    messageId: newId("evt"),
    topic: "event",
    payload: { type, subject: { ...subject }, data, actor: { ...actor }, request_id: requestId },
    sealed: null,
    createdAt: occurredAt,
  };
}

/** Every mail that the service sends, by the name of its words in `mails.ts`. */
export const MAIL_TEMPLATES = [
  "verify_email",
  "already_registered",
  "reset_password",
  "password_changed",
  "revoke_keys",
  "second_factor_enabled",
  "second_factor_disabled",
  "identity_linked",
  "identity_unlinked",
  "provider_key_expiring",
] as const;
export type MailTemplate = (typeof MAIL_TEMPLATES)[number];

export interface OutboxMail {
  readonly messageId: string;
  readonly template: MailTemplate;
  readonly to: string;
  /** What the template names beside the address, in plain words. Never a secret. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The mail's link token, sealed by the tenant's vault under `outboxMailContext`. Null where the mail has no secret. */
  readonly sealedToken: Buffer | null;
  readonly createdAt: Date;
  /** When the link is over. Undefined: the mail has none. */
  readonly expiresAt?: Date;
}

/** Has a mail sent once the transaction has committed. */
export async function enqueueMail(
  tx: Tx,
  { tenantId, mode }: Pick<Actor, "tenantId" | "mode">,
  { messageId, template, to, facts = {}, sealedToken, createdAt, expiresAt }: OutboxMail,
): Promise<void> {
  const ending = expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() };
  const payload = { template, to, facts: { ...facts }, ...ending };
  await insertMessage(tx, {
    tenantId,
    mode,
    messageId,
    topic: "mail",
    payload,
    sealed: sealedToken,
    createdAt,
  });
}

/** Where the token of a mail stands in the vault. */
export function outboxMailContext(messageId: string) {
  return { kind: "outbox_message", subject: messageId, field: "token", version: 1 };
}
