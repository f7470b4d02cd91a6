import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import { sealedColumn } from "../vault/sealed-column.ts";
import { insertMessage } from "./queries.ts";

/** The names of the email templates in `emails.ts`. */
export const EMAIL_TEMPLATES = [
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
  "approval_requested",
  "approvals_waiting",
  "webhook_disabled",
  "cap_reached",
] as const;
export type EmailTemplate = (typeof EMAIL_TEMPLATES)[number];

export interface OutboxEmail {
  readonly messageId: string;
  readonly template: EmailTemplate;
  readonly to: string;
  /** The values for the template, besides `to` and the token. Must not contain secrets. */
  readonly facts?: Readonly<Record<string, string>>;
  /**
   * The token in the email's URL, encrypted by the tenant's vault with `outboxEmailContext`. Null if the email contains
   * no token.
   */
  readonly sealedToken: Buffer | null;
  readonly createdAt: Date;
  /** When to send it. Default: at once. */
  readonly dueAt?: Date;
  /** When the URL expires. Undefined if the email contains no token. */
  readonly expiresAt?: Date;
}

/**
 * Enqueues an email, which is sent after the transaction has committed. Does nothing if an email with this id is enqueued
 * already.
 */
export async function enqueueEmail(
  tx: Tx,
  { tenantId, mode }: Pick<Actor, "tenantId" | "mode">,
  { messageId, template, to, facts = {}, sealedToken, createdAt, dueAt = createdAt, expiresAt }: OutboxEmail,
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
    dueAt,
  });
}

/** Returns the vault context for the token of an email. */
export function outboxEmailContext(messageId: string) {
  return { kind: "outbox_message", subject: messageId, field: "token", version: 1 };
}

/** The outbox columns that contain encrypted values. */
export const outboxSealedColumns = [
  sealedColumn({
    table: "outboxMessages",
    column: "sealed",
    names: ["messageId"],
    contextOf: ({ messageId }) => outboxEmailContext(messageId),
  }),
];
