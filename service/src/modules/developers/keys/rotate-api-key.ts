import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { assertWithinAuthority } from "./assert-within-authority.ts";
import { changeKeys, type KeyChange, type KeyChangeAccess } from "./change-keys.ts";
import { type IssuedApiKey, issueApiKey } from "./issue-api-key.ts";
import { type ApiKey, insertGraceNotice, lockApiKey, updateApiKey } from "./queries.ts";
import { recordKeyChange } from "./record-key-change.ts";
import { withdrawKey, withdrawPredecessor } from "./withdraw-key.ts";

/** How long before the end of a grace its owner is told. */
const NOTICE_MS = 3_600_000;

export const ROTATION_REASONS = ["scheduled", "compromised", "personnel"] as const;
export type RotationReason = (typeof ROTATION_REASONS)[number];

export interface RotateApiKey {
  readonly actor: Actor;
  readonly keyId: string;
  /** Of which modes the caller may rotate keys: live and dashboard callers of both, test callers of test. */
  readonly modes: readonly Mode[];
  /** How long the old key still works. A compromised one does not, whatever is said here. */
  readonly gracePeriodSeconds: number;
  readonly reason: RotationReason;
  /** An Ed25519 key whose possession has been proven, for the successor of an Ed25519 key. Undefined: the same one again. */
  readonly publicKey: string | undefined;
}

export interface RotatedApiKey extends IssuedApiKey {
  readonly previous: ApiKey;
}

/**
 * Gives a key a successor that may do the same, and lets the old one live on for its grace. At most one key is in grace
 * beside each that works: what the old one itself had replaced ends at once.
 *
 * Throws `conflict` for a key that is over or was replaced already, and `insufficient_scope` for one that may do more than
 * whoever asks.
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
    const publicKey = publicKeyAfter(old, command);
    assertWithinAuthority(old, held);
    refuseUnlessStanding(old, at);

    await withdrawPredecessor(change, old, "superseded");
    const issued = await issueApiKey(tx, vault, {
      ...inheritanceOf(old),
      publicKey,
      rotatedFrom: old.keyId,
      createdAt: at,
    });
    const previous = await retire(change, old, { ...command, successorId: issued.key.keyId });
    await recordKeyChange(tx, actor, {
      action: "api_key.created",
      key: issued.key,
      more: { rotated_from: old.keyId },
      occurredAt: at,
    });
    const rotated = { ...issued, previous };
    await saveResponse(tx, rotated);
    return rotated;
  });
}

/** What a successor has of the key that it replaces: everything but its id and its texts. */
export function inheritanceOf(key: ApiKey) {
  const { tenantId, mode, name, isAccountPair, metadata } = key;
  const { scopes, agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt } = key;
  const authority = { scopes, agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt };
  return { tenantId, mode, name, isAccountPair, metadata, ...authority };
}

function publicKeyAfter(old: ApiKey, { publicKey, reason }: RotateApiKey): string | null {
  if (old.publicKey === null) {
    if (publicKey === undefined) return null;
    throw invalidField("/body/public_key", "unexpected", "this key signs with a secret");
  }
  if (reason !== "compromised") return publicKey ?? old.publicKey;
  if (publicKey !== undefined && publicKey !== old.publicKey) return publicKey;
  throw invalidField("/body/public_key", "required", "a compromised key needs a new one");
}

function refuseUnlessStanding({ revokedAt, replacedBy, expiresAt }: ApiKey, at: Date): void {
  const isOver = revokedAt !== null || (expiresAt !== null && expiresAt <= at);
  if (!isOver && replacedBy === null) return;
  throw new AppError("conflict", {
    detail: isOver
      ? "This key no longer works, so there is nothing to replace: issue a new one."
      : `This key has been replaced already: rotate its successor, ${replacedBy}.`,
  });
}

async function retire(
  change: KeyChange,
  key: ApiKey,
  { reason, gracePeriodSeconds, successorId }: RotateApiKey & { readonly successorId: string },
): Promise<ApiKey> {
  const { tx, actor, at } = change;
  const graceMs = reason === "compromised" ? 0 : gracePeriodSeconds * 1000;
  const graceExpiresAt = graceMs === 0 ? null : graceEnd(key, at, graceMs);
  await recordKeyChange(tx, actor, {
    action: "api_key.rotated",
    key,
    more: {
      reason,
      replaced_by: successorId,
      grace_expires_at: graceExpiresAt?.toISOString() ?? null,
    },
    occurredAt: at,
  });
  if (graceExpiresAt === null) {
    const why = reason === "scheduled" ? "rotated" : reason;
    return withdrawKey(change, key, { reason: why, replacedBy: successorId });
  }
  const dueAt = new Date(graceExpiresAt.getTime() - NOTICE_MS);
  if (dueAt > at) await insertGraceNotice(tx, { tenantId: key.tenantId, keyId: key.keyId, dueAt });
  // A copy that was cached before says nothing of the grace.
  await change.suspend(key);
  return updateApiKey(tx, key, { replacedBy: successorId, graceExpiresAt, updatedAt: at });
}

/** No grace goes on past the key's own expiry. */
function graceEnd({ expiresAt }: ApiKey, at: Date, graceMs: number): Date {
  const end = new Date(at.getTime() + graceMs);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}
