import type { KeyChange } from "./change-keys.ts";
import { type ApiKey, listRetiringPredecessors, updateApiKey } from "./queries.ts";
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
  for (const predecessor of await listRetiringPredecessors(tx, { key, at })) {
    await withdrawKey(change, predecessor, { reason });
  }
}
