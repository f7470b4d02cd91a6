import type { Tx } from "../../../db/database.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { enqueueTokenEmail } from "../enqueue-token-email.ts";

const TOKEN_HOURS = 24;

export function verificationExpiryOf(at: Date): Date {
  return new Date(at.getTime() + TOKEN_HOURS * 3_600_000);
}

/** Queues an email with a URL that verifies the address for a signup claim. Earlier URLs for the claim stay valid. */
export async function enqueueVerificationEmail(
  tx: Tx,
  vault: TenantVault,
  {
    tenantId,
    email,
    claimNumber,
    at,
  }: {
    readonly tenantId: TenantId;
    readonly email: string;
    readonly claimNumber: number;
    readonly at: Date;
  },
): Promise<void> {
  const expiresAt = verificationExpiryOf(at);
  const purpose = "verify_email";
  await enqueueTokenEmail(tx, vault, { tenantId, email, purpose, claimNumber, expiresAt, at });
}
