import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import { findEmailTokenOwner, useEmailToken } from "../email-verification/queries.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { withdrawAccountKeys } from "./withdraw-account-keys.ts";

const PURPOSE = "revoke_keys";

/**
 * Revokes all of an account's keys and marks the emailed token as used. Throws `invalid_token` if the token is unknown,
 * used or expired.
 *
 * @returns the number of keys that were revoked
 */
export async function revokeKeysByEmail(
  app: KeyChangeAccess & Pick<App, "db">,
  { token, client }: { readonly token: string; readonly client: ClientInfo },
): Promise<number> {
  const tokenHash = sha256Hex(token);
  const at = app.clock.now();
  const tenantId = await findEmailTokenOwner(app.db, { tokenHash, purpose: PURPOSE, at });
  if (tenantId === undefined) throw invalidToken();
  return changeKeys(app, developerActor({ tenantId }, client), async (change) => {
    const { tx, actor } = change;
    const used = await useEmailToken(tx, { tokenHash, tenantId, purpose: PURPOSE, at });
    if (used === undefined) throw invalidToken();
    const keys = await withdrawAccountKeys(change, { reason: "revoked_by_mailed_link" });
    await appendAuditEntry(tx, actor, {
      action: "developer.keys_revoked",
      subject: { type: "developer", id: tenantId },
      facts: { keys },
      occurredAt: at,
    });
    return keys;
  });
}

function invalidToken(): AppError {
  return new AppError("invalid_token", { internal: "unknown, used or expired token" });
}
