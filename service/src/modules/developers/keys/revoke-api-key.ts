import type { Actor } from "../../../audit/append.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type ApiKey, countUsableLiveKeys, lockApiKey } from "./queries.ts";
import { withdrawKey, withdrawPredecessor } from "./withdraw-key.ts";

export interface RevokeApiKey {
  readonly actor: Actor;
  readonly keyId: string;
  /** Of which modes the caller may revoke keys: live and dashboard callers of both, test callers of test. */
  readonly modes: readonly Mode[];
}

export interface RevokedApiKey {
  readonly key: ApiKey;
  /** The tenant is left without a live key that works. */
  readonly wasLastLiveKey: boolean;
}

/**
 * Revokes a key, and with it the one that it replaced, where that is still in grace. From the answer on, no request that
 * begins under either is accepted by any replica. Revoking a revoked key changes nothing and answers the same.
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
