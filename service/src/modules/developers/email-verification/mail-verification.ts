import type { Tx } from "../../../db/database.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { mailToken } from "../mail-token.ts";

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
  const expiresAt = verificationExpiryOf(at);
  await mailToken(tx, vault, { tenantId, email, purpose: "verify_email", expiresAt, at });
}
