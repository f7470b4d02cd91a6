import { randomUUID } from "node:crypto";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { callStore } from "../../../foundation/deadline.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { ApiKeyId } from "../../../foundation/ids.ts";
import { developerRows } from "../queries.ts";
import { requireLiveSession } from "../sessions/live-session.ts";
import { ACCOUNT_AUTHORITY, type KeyAuthority } from "./key-authority.ts";
import { type ApiKey, apiKeyRows } from "./queries.ts";

/**
 * After `suspend`, replicas ignore their cached copies of a key for at most this time. Must be longer than any
 * transaction can take, so that the change is committed before replicas use their cache again.
 */
const SUSPENSION_MS = 60_000;

export type KeyChangeAccess = Pick<App, "db" | "clock" | "fastState" | "settings">;

/** An ongoing change to an account's keys. Changes to the same account's keys run one after another. */
export interface KeyChange {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly at: Date;
  /** The caller's authority. */
  readonly held: KeyAuthority;
  /**
   * Makes every replica reload the key from the database. Call it before any change that reduces what the key can do.
   */
  suspend(key: ApiKey): Promise<void>;
}

/**
 * Runs a change to an account's API keys. Concurrent changes to the same account are serialized.
 *
 * Replicas cache keys. Each key has an epoch, which is a random id in the fast state (Redis or memory). A replica uses
 * a cached key only if the epoch has not changed. After `suspend`, every request reads the key from the database. When
 * the change is committed, this function sets a new epoch, which makes all cached copies of the key invalid.
 *
 * Throws `service_unavailable` and changes nothing if `suspend` fails, because replicas could then continue to use
 * cached keys. Throws `insufficient_scope` if the calling key has been replaced, even if it has the required scopes.
 */
export async function changeKeys<Result>(
  app: KeyChangeAccess,
  actor: Actor,
  work: (change: KeyChange) => Promise<Result>,
): Promise<Result> {
  return runChange(app, actor, work, async (tx, at) => {
    await requireLiveSession(tx, actor, at);
    return authorityOf(tx, actor, at);
  });
}

/** Like `changeKeys`, with the full authority of the account, whatever has become of the actor's key or session. */
export async function changeKeysAsAccount<Result>(
  app: KeyChangeAccess,
  actor: Actor,
  work: (change: KeyChange) => Promise<Result>,
): Promise<Result> {
  return runChange(app, actor, work, async () => ACCOUNT_AUTHORITY);
}

async function runChange<Result>(
  app: KeyChangeAccess,
  actor: Actor,
  work: (change: KeyChange) => Promise<Result>,
  readAuthority: (tx: Tx, at: Date) => Promise<KeyAuthority>,
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
    // Concurrent changes to the account's keys wait until this transaction ends.
    await developerRows.lockAndGet(tx, actor);
    const held = await readAuthority(tx, at);
    return work({ tx, actor, at, held, suspend });
  });
  // If `setEpoch` fails, the suspension expires after `SUSPENSION_MS`. The key then gets a new epoch.
  const renewed = [...suspended].map((keyHash) => app.fastState.setEpoch({ keyHash, epoch: randomUUID(), nowMs }));
  await Promise.allSettled(renewed);
  return result;
}

async function authorityOf(tx: Tx, { tenantId, actor }: Actor, at: Date): Promise<KeyAuthority> {
  if (actor.key_id === null) return ACCOUNT_AUTHORITY;
  const key = await apiKeyRows.find(tx, { tenantId, keyId: actor.key_id as ApiKeyId });
  if (key === undefined || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at)) {
    throw new AppError("authentication_failed", {
      internal: "the key was revoked or expired during the request",
    });
  }
  if (key.replacedBy === null) return key;
  throw new AppError("insufficient_scope", {
    detail: "This key has been rotated and is in its grace period. Use its successor.",
  });
}
