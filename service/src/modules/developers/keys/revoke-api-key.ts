import type { Actor } from "../../../audit/append.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type ApiKey, countUsableLiveKeys, lockApiKey } from "./queries.ts";
import { withdrawKey, withdrawPredecessor } from "./withdraw-keys.ts";

export interface RevokeApiKey {
  readonly actor: Actor;
  readonly keyId: string;
  /**
   * The modes of the keys that the caller can revoke. A caller with a test key can revoke only test keys. All other
   * callers can revoke keys of both modes.
   */
  readonly modes: readonly Mode[];
}

export interface RevokedApiKey {
  readonly key: ApiKey;
  /** True if this call revoked a live key and the account now has no valid live key. */
  readonly wasLastLiveKey: boolean;
}

/**
 * Revokes a key. Also revokes the key's predecessor if that is still in its grace period. After this function returns,
 * no replica accepts a new request with either key. Does nothing if the key is already revoked.
 */
export async function revokeApiKey(
  app: KeyChangeAccess,
  { actor, keyId, modes }: RevokeApiKey,
): Promise<RevokedApiKey> {
  const { tenantId } = actor;
  return changeKeys(app, actor, async (change) => {
    const { tx, at } = change;
    const key = await lockApiKey(tx, { tenantId, modes, keyId });
    if (key.revokedAt !== null) return { key, wasLastLiveKey: false };

    await withdrawPredecessor(change, key, "revoked");
    const revoked = await withdrawKey(change, key, { reason: "revoked" });
    const liveKeys = await countUsableLiveKeys(tx, tenantId, at);
    return { key: revoked, wasLastLiveKey: key.mode === "live" && liveKeys === 0 };
  });
}
