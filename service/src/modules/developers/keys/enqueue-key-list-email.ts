import type { Tx } from "../../../db/database.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { enqueueTokenEmail } from "../enqueue-token-email.ts";
import type { Developer } from "../queries.ts";
import { listUsableKeys } from "./queries.ts";

const TOKEN_DAYS = 7;

/**
 * Queues an email with a list of the account's valid keys and a URL that revokes all of them. Does nothing if there are
 * none.
 */
export async function enqueueKeyListEmail(
  tx: Tx,
  vault: TenantVault,
  { developer: { tenantId, email }, at }: { readonly developer: Developer; readonly at: Date },
): Promise<void> {
  const keys = await listUsableKeys(tx, { tenantId, at });
  if (keys.length === 0) return;
  // The list omits key names, because they may have been chosen by a user other than the account's owner.
  const lines = keys.map(
    ({ keyId, mode, createdAt }) => `${keyId} (${mode}, created ${createdAt.toISOString().slice(0, 10)})`,
  );
  await enqueueTokenEmail(tx, vault, {
    tenantId,
    email,
    purpose: "revoke_keys",
    facts: { keys: lines.join("\n") },
    expiresAt: new Date(at.getTime() + TOKEN_DAYS * 86_400_000),
    at,
  });
}
