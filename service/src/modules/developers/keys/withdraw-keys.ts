import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { recordKeyChange } from "./api-keys.ts";
import { changeKeys, changeKeysAsAccount, type KeyChange, type KeyChangeAccess } from "./change-keys.ts";
import {
  type ApiKey,
  apiKeyRows,
  countUsableLiveKeys,
  listRetiringPredecessors,
  listUsableKeys,
  lockApiKey,
} from "./queries.ts";

interface RevokeApiKey {
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

/**
 * Revokes a key in the transaction of the given `KeyChange`. If a successor replaces the key, `replacedBy` is the
 * successor's ID.
 */
export async function withdrawKey(
  { tx, actor, at, suspend }: KeyChange,
  key: ApiKey,
  { reason, replacedBy = key.replacedBy }: { reason: string; replacedBy?: string | null },
): Promise<ApiKey> {
  await suspend(key);
  const withdrawn = await apiKeyRows.updateAndGet(tx, key, {
    replacedBy,
    revokedAt: at,
    revokeReason: reason,
    updatedAt: at,
  });
  await recordKeyChange(tx, actor, {
    action: "api_key.revoked",
    key,
    details: { reason },
    occurredAt: at,
  });
  return withdrawn;
}

export async function withdrawPredecessor(change: KeyChange, key: ApiKey, reason: string): Promise<void> {
  const { tx, at } = change;
  for (const predecessor of await listRetiringPredecessors(tx, key, at)) {
    await withdrawKey(change, predecessor, { reason });
  }
}

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
  const usable = await listUsableKeys(tx, actor.tenantId, at);
  const ending = usable.filter(({ keyId }) => keyIds?.includes(keyId) ?? true);
  for (const key of ending) await withdrawKey(change, key, { reason });
  return ending.length;
}

interface WithdrawMatchingKeys {
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
    const matching = (await listUsableKeys(tx, tenantId, at)).filter(isMatch);
    const isOwn = ({ keyId }: ApiKey) => keyId === actor.actor.key_id;
    const ordered = [...matching.filter((key) => !isOwn(key)), ...matching.filter(isOwn)];
    for (const key of ordered) {
      await withdrawKey(change, key, { reason });
      await withdrawn(tx, key);
    }
  });
}

interface AgentKeys {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** A UUID in lowercase. */
  readonly agentId: string;
}

/** Returns the valid keys that are bound to the agent, perhaps beside other agents. */
export async function listAgentKeys(
  tx: Tx,
  { tenantId, mode, agentId, at }: AgentKeys & { readonly at: Date },
): Promise<ApiKey[]> {
  const usable = await listUsableKeys(tx, tenantId, at);
  return usable.filter((key) => key.mode === mode && agentIdsOf(key).includes(agentId));
}

/** Revokes those of the keys that are bound only to revoked agents. */
export async function withdrawAgentKeys(
  change: KeyChange,
  keys: readonly ApiKey[],
  { revokedAgentIds }: { readonly revokedAgentIds: readonly string[] },
): Promise<void> {
  const ending = keys.filter((key) => agentIdsOf(key).every((agentId) => revokedAgentIds.includes(agentId)));
  for (const key of ending) await withdrawKey(change, key, { reason: "agent_revoked" });
}

function agentIdsOf({ agentIds }: ApiKey): string[] {
  return agentIds.map((agentId) => agentId.toLowerCase());
}
