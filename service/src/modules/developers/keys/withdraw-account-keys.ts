import type { ApiKeyId } from "../../../foundation/ids.ts";
import { MODES } from "../../../foundation/vocabulary.ts";
import type { KeyChange } from "./change-keys.ts";
import { listApiKeys } from "./queries.ts";
import { withdrawKey } from "./withdraw-key.ts";

/**
 * Ends the account's keys at once, or only those named.
 *
 * @returns how many were ended
 */
export async function withdrawAccountKeys(
  change: KeyChange,
  { reason, keyIds }: { readonly reason: string; readonly keyIds?: readonly ApiKeyId[] },
): Promise<number> {
  const { tx, actor } = change;
  const keys = await listApiKeys(tx, { tenantId: actor.tenantId, modes: MODES });
  const standing = keys.filter(
    ({ revokedAt, keyId }) => revokedAt === null && (keyIds?.includes(keyId) ?? true),
  );
  for (const key of standing) await withdrawKey(change, key, { reason });
  return standing.length;
}
