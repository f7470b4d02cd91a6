import { randomUUID } from "node:crypto";
import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { askStore } from "../../../foundation/deadline.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { enqueueEvent } from "../../../outbox/enqueue.ts";
import { type ApiKey, countUsableLiveKeys, lockApiKey, updateApiKey } from "./queries.ts";

/** Longer than any transaction may take: until it is over, nobody trusts a cached copy of the key. */
const SUSPENSION_MS = 60_000;

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
 * Revokes a key. From the answer on, no request that begins under it is accepted by any replica: the key's epoch is
 * suspended before the commit, so that none reads an old copy, and renewed after it. Where it cannot be suspended the key
 * stays, since a replica could go on trusting it. Revoking a revoked key changes nothing and answers the same.
 */
export async function revokeApiKey(
  app: Pick<App, "db" | "clock" | "fastState" | "settings">,
  { actor, keyId, modes }: RevokeApiKey,
): Promise<RevokedApiKey> {
  const { tenantId } = actor;
  const at = app.clock.now();
  const outcome = await withTransaction(app.db, tenantId, async (tx) => {
    const key = await lockApiKey(tx, { tenantId, modes, keyId });
    if (key.revokedAt !== null) return { key, wasLastLiveKey: false };

    await askStore(
      app.fastState.suspendEpoch({
        keyHash: key.keyHash,
        ttlMs: SUSPENSION_MS,
        nowMs: at.getTime(),
      }),
      app.settings.storeTimeoutMs,
      "suspending a key's epoch",
    );
    const revoked = await updateApiKey(tx, key, {
      revokedAt: at,
      revokeReason: "revoked",
      updatedAt: at,
    });
    const subject = { type: "api_key", id: key.keyId };
    const facts = { name: key.name, mode: key.mode };
    const keyActor = { ...actor, mode: key.mode };
    await appendAuditEntry(tx, keyActor, {
      action: "api_key.revoked",
      subject,
      facts,
      occurredAt: at,
    });
    await enqueueEvent(tx, keyActor, {
      type: "api_key.revoked",
      subject,
      data: { key_id: key.keyId, ...facts },
      occurredAt: at,
    });
    const liveKeys = await countUsableLiveKeys(tx, { tenantId, at });
    return { key: revoked, wasLastLiveKey: key.mode === "live" && liveKeys === 0n };
  });
  // Where it cannot be renewed, the suspension outlasts the commit and then ends in a new epoch just as well.
  await app.fastState
    .setEpoch({ keyHash: outcome.key.keyHash, epoch: randomUUID(), nowMs: at.getTime() })
    .catch(() => {});
  return outcome;
}
