import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ApiKeyId } from "../../../foundation/ids.ts";
import { changeKeysAsAccount, type KeyChange, type KeyChangeAccess } from "./change-keys.ts";
import { type ApiKey, listUsableKeys } from "./queries.ts";
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

export interface WithdrawMatchingKeys {
  readonly reason: string;
  readonly isMatch: (key: ApiKey) => boolean;
  /** Runs first in the transaction. Nothing is revoked if it returns false. */
  readonly begin: (tx: Tx, at: Date) => Promise<boolean>;
  /** Runs in the transaction for each key that was revoked. */
  readonly withdrawn: (tx: Tx, key: ApiKey) => Promise<void>;
}

/**
 * Revokes the account's valid keys that match, and the actor's own key last. Does not check that the actor's key is still
 * valid: a job can continue what the key began.
 */
export async function withdrawMatchingKeys(
  app: KeyChangeAccess,
  actor: Actor,
  { reason, isMatch, begin, withdrawn }: WithdrawMatchingKeys,
): Promise<void> {
  const { tenantId } = actor;
  await changeKeysAsAccount(app, actor, async (change) => {
    const { tx, at } = change;
    if (!(await begin(tx, at))) return;
    const matching = (await listUsableKeys(tx, { tenantId, at })).filter(isMatch);
    const isOwn = ({ keyId }: ApiKey) => keyId === actor.actor.key_id;
    const ordered = [...matching.filter((key) => !isOwn(key)), ...matching.filter(isOwn)];
    for (const key of ordered) {
      await withdrawKey(change, key, { reason });
      await withdrawn(tx, key);
    }
  });
}
