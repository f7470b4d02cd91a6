import { newSecretToken } from "../../../crypto/secret-token.ts";
import type { Tx } from "../../../db/database.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import { enqueueMail, outboxMailContext } from "../../../outbox/enqueue.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { insertEmailToken } from "./queries.ts";

const TOKEN_HOURS = 24;

export function verificationExpiryOf(at: Date): Date {
  return new Date(at.getTime() + TOKEN_HOURS * 3_600_000);
}

/** Has a link mailed that proves the address. Links that were mailed before stay good. */
export async function mailVerification(
  tx: Tx,
  vault: TenantVault,
  {
    tenantId,
    email,
    at,
  }: { readonly tenantId: TenantId; readonly email: string; readonly at: Date },
): Promise<void> {
  const { token, tokenHash } = newSecretToken();
  const messageId = newId("mail");
  await insertEmailToken(tx, {
    tokenHash,
    tenantId,
    purpose: "verify_email",
    email,
    expiresAt: verificationExpiryOf(at),
    createdAt: at,
  });
  await enqueueMail(
    tx,
    { tenantId, mode: "live" },
    {
      messageId,
      template: "verify_email",
      to: email,
      sealedToken: vault.seal(outboxMailContext(messageId), token),
      createdAt: at,
    },
  );
}
