import type { Actor } from "../../../audit/append.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type ApiKey, countUsableLiveKeys, lockApiKey } from "./queries.ts";
import { withdrawKey, withdrawPredecessor } from "./withdraw-key.ts";

export interface RevokeApiKey {
  readonly actor: Actor;
  readonly keyId: string;
  /** The modes of the keys that the caller can revoke: live and dashboard callers both, test callers `test`. */
  readonly modes: readonly Mode[];
}

export interface RevokedApiKey {
  readonly key: ApiKey;
  /** Whether the account now has no live key that works. */
  readonly wasLastLiveKey: boolean;
}

/**
 * Revokes a key, and the key that it replaced if that is in its grace period. Once it returns, no replica accepts a new
 * request with either. Revoking a revoked key changes nothing and returns the same result.
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
    const liveKeys = await countUsableLiveKeys(tx, { tenantId, at });
    return { key: revoked, wasLastLiveKey: key.mode === "live" && liveKeys === 0n };
  });
}
