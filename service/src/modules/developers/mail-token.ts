import { newSecretToken } from "../../crypto/secret-token.ts";
import type { Tx } from "../../db/database.ts";
import { newId, type TenantId } from "../../foundation/ids.ts";
import { enqueueMail, outboxMailContext } from "../../outbox/enqueue.ts";
import type { TenantVault } from "../../vault/open-vault.ts";
import { type EmailTokenPurpose, insertEmailToken } from "./email-verification/queries.ts";

export interface MailedToken {
  readonly tenantId: TenantId;
  readonly email: string;
  /** What the link is good for; the mail's template is called the same. */
  readonly purpose: EmailTokenPurpose;
  /** The claim that a verification link belongs to. */
  readonly claimNumber?: number;
  /** What the mail says besides the link. */
  readonly facts?: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
  readonly at: Date;
}

/** Has a link mailed that is good once. Of its token the hash is kept, and the mail that waits holds it sealed. */
export async function mailToken(
  tx: Tx,
  vault: TenantVault,
  { tenantId, email, purpose, claimNumber, facts = {}, expiresAt, at }: MailedToken,
): Promise<void> {
  const { token, tokenHash } = newSecretToken();
  const messageId = newId("mail");
  const link = { tokenHash, tenantId, purpose, email, expiresAt, createdAt: at };
  await insertEmailToken(tx, { ...link, claimNumber: claimNumber ?? null });
  await enqueueMail(
    tx,
    { tenantId, mode: "live" },
    {
      messageId,
      template: purpose,
      to: email,
      facts,
      sealedToken: vault.seal(outboxMailContext(messageId), token),
      createdAt: at,
      expiresAt,
    },
  );
}
