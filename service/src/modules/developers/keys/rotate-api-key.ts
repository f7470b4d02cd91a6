import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { scheduleWork } from "../../../due-work/due-work.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { Mode, RotationReason } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/vault.ts";
import { type IssuedApiKey, issueApiKey, recordKeyChange } from "./api-keys.ts";
import { changeKeys, type KeyChange, type KeyChangeAccess } from "./change-keys.ts";
import { assertWithinAuthority } from "./key-authority.ts";
import { notifyGraceEndings } from "./notify-grace-endings.ts";
import { type ApiKey, apiKeyRows, listUsableAccountPairs, lockApiKey } from "./queries.ts";
import { withdrawKey, withdrawPredecessor } from "./withdraw-keys.ts";

/** How long before the end of a grace period the key's owner is notified. */
const NOTICE_MS = 3_600_000;

export interface RotateApiKey {
  readonly actor: Actor;
  readonly keyId: string;
  /**
   * The modes of the keys that the caller can rotate. A caller with a test key can rotate only test keys. All other
   * callers can rotate keys of both modes.
   */
  readonly modes: readonly Mode[];
  /** How long the old key continues to work. Ignored for a compromised key, which stops working immediately. */
  readonly gracePeriodSeconds: number;
  readonly reason: RotationReason;
  /**
   * The successor's Ed25519 public key. The caller must have checked proof of possession. If undefined, the successor
   * keeps the old key's public key.
   */
  readonly publicKey: string | undefined;
}

export interface RotatedApiKey extends IssuedApiKey {
  readonly previous: ApiKey;
}

/**
 * Replaces a key with a successor that has the same authority. The old key continues to work during its grace period.
 * If the old key's predecessor is still in a grace period, it is revoked immediately, so each key has at most one
 * predecessor that still works.
 */
export async function rotateApiKey(
  app: KeyChangeAccess & Pick<App, "keyEncryptionKey" | "vaults">,
  command: RotateApiKey,
  saveResponse: SaveResponse<RotatedApiKey>,
): Promise<RotatedApiKey> {
  const { actor, keyId, modes } = command;
  const { tenantId } = actor;
  const vault = await openVault(app, tenantId);
  return changeKeys(app, actor, async (change) => {
    const { tx, at, held } = change;
    const old = await lockApiKey(tx, { tenantId, modes, keyId });
    const publicKey = resolvePublicKey(old, command);
    assertWithinAuthority(old, held);
    assertRotatable(old, at);

    await withdrawPredecessor(change, old, "superseded");
    const issued = await issueApiKey(tx, vault, {
      ...inheritedFields(old),
      publicKey,
      rotatedFrom: old.keyId,
      createdAt: at,
    });
    const previous = await retireKey(change, old, { ...command, successorId: issued.key.keyId });
    await recordKeyChange(tx, actor, {
      action: "api_key.created",
      key: issued.key,
      details: { rotated_from: old.keyId },
      occurredAt: at,
    });
    const rotated = { ...issued, previous };
    await saveResponse(tx, rotated);
    return rotated;
  });
}

function inheritedFields(key: ApiKey) {
  const { tenantId, mode, name, isAccountPair, metadata } = key;
  const { scopes, agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt } = key;
  const authority = { scopes, agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt };
  return { tenantId, mode, name, isAccountPair, metadata, ...authority };
}

function resolvePublicKey(old: ApiKey, { publicKey, reason }: RotateApiKey): string | null {
  if (old.publicKey === null) {
    if (publicKey === undefined) return null;
    throw invalidField("/body/public_key", "unexpected", "must be absent, because this key signs with a secret");
  }
  if (reason !== "compromised") return publicKey ?? old.publicKey;
  if (publicKey !== undefined && publicKey !== old.publicKey) return publicKey;
  throw invalidField("/body/public_key", "required", "must be a new public key, because the old one is compromised");
}

function assertRotatable({ revokedAt, replacedBy, expiresAt }: ApiKey, at: Date): void {
  const isEnded = revokedAt !== null || (expiresAt !== null && expiresAt <= at);
  if (!isEnded && replacedBy === null) return;
  throw new AppError("conflict", {
    detail: isEnded
      ? "This key no longer works. Create a new one."
      : `This key has already been replaced. Rotate its successor, ${replacedBy}.`,
  });
}

async function retireKey(
  change: KeyChange,
  key: ApiKey,
  { reason, gracePeriodSeconds, successorId }: RotateApiKey & { readonly successorId: string },
): Promise<ApiKey> {
  const { tx, actor, at } = change;
  const graceMs = reason === "compromised" ? 0 : gracePeriodSeconds * 1000;
  const graceExpiresAt = graceMs === 0 ? null : graceEndOf(key, at, graceMs);
  await recordKeyChange(tx, actor, {
    action: "api_key.rotated",
    key,
    details: {
      reason,
      replaced_by: successorId,
      grace_expires_at: graceExpiresAt?.toISOString() ?? null,
    },
    occurredAt: at,
  });
  if (graceExpiresAt === null) {
    const revokeReason = reason === "scheduled" ? "rotated" : reason;
    return withdrawKey(change, key, { reason: revokeReason, replacedBy: successorId });
  }
  const dueAt = new Date(graceExpiresAt.getTime() - NOTICE_MS);
  if (dueAt > at) await scheduleWork(tx, notifyGraceEndings, { tenantId: key.tenantId, subject: key.keyId, dueAt });
  // Cached copies of the key lack the new end of its grace period, so `suspend` makes every replica reload the key.
  await change.suspend(key);
  return apiKeyRows.updateAndGet(tx, key, { replacedBy: successorId, graceExpiresAt, updatedAt: at });
}

/** Returns the end of the grace period, which is never later than the key's own expiry. */
function graceEndOf({ expiresAt }: ApiKey, at: Date, graceMs: number): Date {
  const end = new Date(at.getTime() + graceMs);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

export interface RotateAccountPair {
  readonly actor: Actor;
  readonly mode: Mode;
}

export interface RotatedAccountPair extends IssuedApiKey {
  /** The pair that was replaced. Null if the account had no valid key pair in this mode. */
  readonly previous: ApiKey | null;
}

/**
 * Replaces the account's own key pair in one mode. The old pair stops working immediately. If the old pair has a
 * predecessor that is still in its grace period, the predecessor also stops working. Other keys are not affected.
 *
 * The new pair always has a secret. It never reuses an Ed25519 public key of the old pair, because the private key may
 * have been stolen.
 */
export async function rotateAccountPair(
  app: KeyChangeAccess & Pick<App, "keyEncryptionKey" | "vaults">,
  { actor, mode }: RotateAccountPair,
  saveResponse: SaveResponse<RotatedAccountPair>,
): Promise<RotatedAccountPair> {
  const { tenantId } = actor;
  const vault = await openVault(app, tenantId);
  return changeKeys(app, actor, async (change) => {
    const { tx, at } = change;
    const [newest = null, ...others] = await listUsableAccountPairs(tx, { tenantId, mode, at });
    const inherited =
      newest === null ? { tenantId, mode, name: "default", isAccountPair: true } : inheritedFields(newest);
    const issued = await issueApiKey(tx, vault, {
      ...inherited,
      rotatedFrom: newest?.keyId ?? null,
      createdAt: at,
    });
    const replacedBy = issued.key.keyId;
    for (const other of others) await withdrawKey(change, other, { reason: "rotated" });
    const previous = newest === null ? null : await withdrawKey(change, newest, { reason: "rotated", replacedBy });
    await recordKeyChange(tx, actor, {
      action: "api_key.created",
      key: issued.key,
      details: { rotated_from: newest?.keyId ?? null },
      occurredAt: at,
    });
    const rotated = { ...issued, previous };
    await saveResponse(tx, rotated);
    return rotated;
  });
}
