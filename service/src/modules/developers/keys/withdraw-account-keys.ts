import type { ApiKeyId } from "../../../foundation/ids.ts";
import type { KeyChange } from "./change-keys.ts";
import { listUsableKeys } from "./queries.ts";
import { withdrawKey } from "./withdraw-key.ts";

/**
 * Revokes the account's valid keys. If `keyIds` is given, revokes only those keys.
 *
 * @returns the number of keys that were revoked
 */
export async function withdrawAccountKeys(
  change: KeyChange,
  { reason, keyIds }: { readonly reason: string; readonly keyIds?: readonly ApiKeyId[] },
): Promise<number> {
  const { tx, actor, at } = change;
  const usable = await listUsableKeys(tx, { tenantId: actor.tenantId, at });
  const ending = usable.filter(({ keyId }) => keyIds?.includes(keyId) ?? true);
  for (const key of ending) await withdrawKey(change, key, { reason });
  return ending.length;
}
