import { randomUUID } from "node:crypto";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { callStore } from "../../../foundation/deadline.ts";
import { AppError } from "../../../foundation/errors.ts";
import { requireLiveSession } from "../sessions/require-live-session.ts";
import { ACCOUNT_AUTHORITY, type KeyAuthority } from "./key-authority.ts";
import { type ApiKey, findApiKey, lockAccountKeys } from "./queries.ts";

/** Longer than any transaction may take: until it is over, nobody trusts a cached copy of the key. */
const SUSPENSION_MS = 60_000;

export type KeyChangeAccess = Pick<App, "db" | "clock" | "fastState" | "settings">;

/** A change of an account's keys while it is being made: no other is, until it has been. */
export interface KeyChange {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly at: Date;
  /** What whoever makes the change may do. */
  readonly held: KeyAuthority;
  /** Stops every replica from trusting its copy of the key. Called before a key's row comes to allow less than before. */
  suspend(key: ApiKey): Promise<void>;
}

/**
 * Changes keys of one account, one change after another. From its outcome on no request that begins is accepted as if the
 * change had not been: the epochs of the keys are suspended before the commit and renewed after it. Where one cannot be
 * suspended nothing is changed, since a replica could go on trusting what it has: `service_unavailable`.
 *
 * A key that is being replaced changes no keys, whatever its scopes: `insufficient_scope`.
 */
export async function changeKeys<Result>(
  app: KeyChangeAccess,
  actor: Actor,
  work: (change: KeyChange) => Promise<Result>,
): Promise<Result> {
  const at = app.clock.now();
  const nowMs = at.getTime();
  const suspended = new Set<string>();
  const suspend = async ({ keyHash }: ApiKey) => {
    await callStore(
      app.fastState.suspendEpoch({ keyHash, ttlMs: SUSPENSION_MS, nowMs }),
      app.settings.storeTimeoutMs,
      "suspending a key's epoch",
    );
    suspended.add(keyHash);
  };

  const result = await withTransaction(app.db, actor.tenantId, async (tx) => {
    await lockAccountKeys(tx, actor.tenantId);
    await requireLiveSession(tx, actor, at);
    const held = await authorityOf(tx, actor, at);
    return work({ tx, actor, at, held, suspend });
  });
  // Where it cannot be renewed, the suspension outlasts the commit and then ends in a new epoch just as well.
  const renewed = [...suspended].map((keyHash) =>
    app.fastState.setEpoch({ keyHash, epoch: randomUUID(), nowMs }),
  );
  await Promise.allSettled(renewed);
  return result;
}

/** The authority of the key that asks, as it is now. A session has the whole of its account's. */
async function authorityOf(tx: Tx, { tenantId, actor }: Actor, at: Date): Promise<KeyAuthority> {
  if (actor.key_id === null) return ACCOUNT_AUTHORITY;
  const key = await findApiKey(tx, { tenantId, keyId: actor.key_id });
  if (
    key === undefined ||
    key.revokedAt !== null ||
    (key.expiresAt !== null && key.expiresAt <= at)
  ) {
    throw new AppError("authentication_failed", { internal: "the key ended during its request" });
  }
  if (key.replacedBy === null) return key;
  throw new AppError("insufficient_scope", {
    detail: "This key has been rotated and is in its grace period: use its successor.",
  });
}
