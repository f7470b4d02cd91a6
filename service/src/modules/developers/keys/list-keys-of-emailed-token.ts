import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { type EmailTokenPurpose, findEmailTokenOwner } from "../email-verification/queries.ts";
import { getDeveloper } from "../queries.ts";
import { type ApiKey, listUsableKeys } from "./queries.ts";

export interface KeysOfEmailedToken {
  readonly isProven: boolean;
  /** The account's valid keys, newest first. */
  readonly keys: readonly ApiKey[];
}

/**
 * Returns the keys to show on the page opened by a URL in an email. The token in the URL is not marked as used. Returns
 * undefined if the token is unknown, used or expired.
 */
export async function listKeysOfEmailedToken(
  app: Pick<App, "db" | "clock">,
  { token, purpose }: { readonly token: string; readonly purpose: EmailTokenPurpose },
): Promise<KeysOfEmailedToken | undefined> {
  const at = app.clock.now();
  const tokenHash = sha256Hex(token);
  const tenantId = await findEmailTokenOwner(app.db, { tokenHash, purpose, at });
  if (tenantId === undefined) return undefined;
  return withTransaction(app.db, tenantId, async (tx) => ({
    isProven: (await getDeveloper(tx, tenantId)).provenAt !== null,
    keys: await listUsableKeys(tx, { tenantId, at }),
  }));
}
