import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { changeKeysAsAccount, type KeyChange, type KeyChangeAccess } from "./change-keys.ts";
import { type ApiKey, listRetiringPredecessors, listUsableKeys, updateApiKey } from "./queries.ts";
import { recordKeyChange } from "./record-key-change.ts";

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
  const withdrawn = await updateApiKey(tx, key, {
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

/** Revokes the key's predecessor if that is still in its grace period. */
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
