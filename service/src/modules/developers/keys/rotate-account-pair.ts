import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type IssuedApiKey, issueApiKey } from "./issue-api-key.ts";
import { type ApiKey, listUsableAccountPairs } from "./queries.ts";
import { recordKeyChange } from "./record-key-change.ts";
import { inheritedFields } from "./rotate-api-key.ts";
import { withdrawKey } from "./withdraw-key.ts";

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
