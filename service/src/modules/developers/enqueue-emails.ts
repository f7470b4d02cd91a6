import { newSecretToken } from "../../crypto/secret-token.ts";
import type { Tx } from "../../db/database.ts";
import { newId, type TenantId } from "../../foundation/ids.ts";
import type { EmailTokenPurpose } from "../../foundation/vocabulary.ts";
import { type EmailTemplate, enqueueEmail, outboxEmailContext } from "../../outbox/enqueue.ts";
import type { TenantVault } from "../../vault/vault.ts";
import { emailTokenRows } from "./email-verification/queries.ts";

interface EnqueueNoticeEmail {
  readonly tenantId: TenantId;
  readonly template: EmailTemplate;
  readonly to: string;
  readonly facts?: Readonly<Record<string, string>>;
  readonly at: Date;
}

/** Queues a notification email to the account's owner. The email contains no secrets. */
export async function enqueueNoticeEmail(
  tx: Tx,
  { tenantId, template, to, facts = {}, at }: EnqueueNoticeEmail,
): Promise<void> {
  await enqueueEmail(
    tx,
    { tenantId, mode: "live" },
    { messageId: newId("mail"), template, to, facts, sealedToken: null, createdAt: at },
  );
}

export interface EmailedToken {
  readonly tenantId: TenantId;
  readonly email: string;
  /** The purpose of the token, which is also the name of the email template. */
  readonly purpose: EmailTokenPurpose;
  /** The signup claim that a verification token belongs to. */
  readonly claimNumber?: number;
  /** Additional values for the email template. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
  readonly at: Date;
}

/**
 * Queues an email with a URL that contains a single-use token. The queued email contains the token in encrypted form.
 * Apart from that, only the token's hash is stored.
 */
export async function enqueueTokenEmail(
  tx: Tx,
  vault: TenantVault,
  { tenantId, email, purpose, claimNumber, facts = {}, expiresAt, at }: EmailedToken,
): Promise<void> {
  const { token, tokenHash } = newSecretToken();
  const messageId = newId("mail");
  const row = { tokenHash, tenantId, purpose, email, expiresAt, createdAt: at };
  await emailTokenRows.insert(tx, { ...row, claimNumber: claimNumber ?? null });
  await enqueueEmail(
    tx,
    { tenantId, mode: "live" },
    {
      messageId,
      template: purpose,
      to: email,
      facts,
      sealedToken: vault.seal(outboxEmailContext(messageId), token),
      createdAt: at,
      expiresAt,
    },
  );
}
