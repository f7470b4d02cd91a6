import { newKeyPair } from "../../../crypto/api-keys.ts";
import type { Tx } from "../../../db/database.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import { defaultKeyScopes, type Mode, type Scope } from "../../../foundation/vocabulary.ts";
import { assertNotRevoked } from "../../../revocations/assert-not-revoked.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { type ApiKey, insertApiKey } from "./queries.ts";
import { signingKeyContext } from "./signing-context.ts";

export interface IssueApiKey {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly name: string;
  readonly createdAt: Date;
  /** True for the account's own key pair, which is the one replaced by `POST /developers/rotate-key`. */
  readonly isAccountPair: boolean;
  readonly scopes?: readonly Scope[];
  readonly agentIds?: readonly string[];
  readonly projectIds?: readonly string[];
  readonly ipAllowlist?: readonly string[];
  readonly rateLimitPerMinute?: number | null;
  readonly expiresAt?: Date | null;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The ID of the key that this key replaces. */
  readonly rotatedFrom?: string | null;
  /** An Ed25519 public key. The caller must have checked proof of possession. A key with a public key has no secret. */
  readonly publicKey?: string | null;
}

export interface IssuedApiKey {
  readonly key: ApiKey;
  readonly apiKey: string;
  /** Null for an Ed25519 key. */
  readonly apiSecret: string | null;
}

/**
 * Inserts a new key. The returned API key and secret cannot be retrieved later, so this is the only time to show them.
 * Throws `conflict` while a kill switch runs that covers the key.
 */
export async function issueApiKey(tx: Tx, vault: TenantVault, command: IssueApiKey): Promise<IssuedApiKey> {
  const { scopes = defaultKeyScopes(command.mode), publicKey = null, metadata = {}, ...rest } = command;
  await assertNotRevoked(tx, command, command);
  const pair = newKeyPair(command.mode);
  const keyId = newId("key");
  const key = await insertApiKey(tx, {
    ...rest,
    scopes,
    metadata: JSON.stringify(metadata),
    keyId,
    keyHash: pair.keyHash,
    keyHint: pair.keyHint,
    signatureAlg: publicKey === null ? "hmac-sha256" : "ed25519",
    signingKeySealed: publicKey === null ? vault.seal(signingKeyContext(keyId), pair.signingKey) : null,
    publicKey,
    createdBy: command.tenantId,
    updatedAt: command.createdAt,
  });
  return { key, apiKey: pair.apiKey, apiSecret: publicKey === null ? pair.apiSecret : null };
}
