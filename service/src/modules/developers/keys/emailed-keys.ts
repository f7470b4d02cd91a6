import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import type { EmailTokenPurpose } from "../../../foundation/vocabulary.ts";
import type { TenantVault } from "../../../vault/vault.ts";
import { recordAccountChange } from "../developers.ts";
import { getEmailTokenOwner, invalidToken, useEmailToken } from "../email-verification/queries.ts";
import { enqueueTokenEmail } from "../enqueue-emails.ts";
import { type Developer, getDeveloper } from "../queries.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type ApiKey, listUsableKeys } from "./queries.ts";
import { withdrawAccountKeys } from "./withdraw-keys.ts";

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
  const keys = await listUsableKeys(tx, tenantId, at);
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

export interface KeysOfEmailedToken {
  readonly email: string;
  readonly isProven: boolean;
  /** The account's valid keys, newest first. */
  readonly keys: readonly ApiKey[];
}

/**
 * Returns the keys to show on the page opened by a URL in an email. The token in the URL is not marked as used. Throws
 * `invalid_token` if the token is unknown, used or expired.
 */
export async function listKeysOfEmailedToken(
  app: Pick<App, "db" | "clock">,
  { token, purpose }: { readonly token: string; readonly purpose: EmailTokenPurpose },
): Promise<KeysOfEmailedToken> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  const tenantId = await getEmailTokenOwner(app.db, { tokenHash, purpose, at });
  return withTransaction(app.db, tenantId, async (tx) => {
    const { email, provenAt } = await getDeveloper(tx, tenantId);
    return { email, isProven: provenAt !== null, keys: await listUsableKeys(tx, tenantId, at) };
  });
}

const PURPOSE = "revoke_keys";

/** Revokes all of an account's keys with an emailed token, and returns how many there were. */
export async function revokeKeysByEmail(
  app: KeyChangeAccess & Pick<App, "db">,
  { token, client }: { readonly token: string; readonly client: ClientInfo },
): Promise<number> {
  const tokenHash = sha256Hex(token);
  const at = app.clock.now();
  const tenantId = await getEmailTokenOwner(app.db, { tokenHash, purpose: PURPOSE, at });
  return changeKeys(app, developerActor({ tenantId }, client), async (change) => {
    const { tx, actor } = change;
    const used = await useEmailToken(tx, { tokenHash, tenantId, purpose: PURPOSE, at });
    if (used === undefined) throw invalidToken();
    const keys = await withdrawAccountKeys(change, { reason: "revoked_by_mailed_link" });
    await recordAccountChange(tx, actor, { action: "developer.keys_revoked", facts: { keys }, at });
    return keys;
  });
}
