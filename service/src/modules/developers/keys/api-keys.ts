import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { newKeyPair } from "../../../crypto/api-keys.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { recordEntryAndEvent } from "../../../events/events.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { AppError } from "../../../foundation/errors.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import { defaultKeyScopes, type Mode } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { assertNotRevoked } from "../../../revocations/revocations.ts";
import { openVault, type TenantVault, type VaultContext } from "../../../vault/vault.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type AuthorityPart, assertWithinAuthority, type KeyAuthority } from "./key-authority.ts";
import { type ApiKey, countActiveKeys, insertApiKey, listRevokedKeys, listUnrevokedKeys } from "./queries.ts";

/**
 * Returns the additional authenticated data (AAD) for an API key's signing key. The AAD contains the API key's ID, so a
 * ciphertext that is copied to another key's row cannot be decrypted.
 */
export function signingKeyContext(keyId: string): VaultContext {
  return { kind: "api_key", subject: keyId, field: "signing_key", version: 1 };
}

interface RecordKeyChange {
  readonly action: "api_key.created" | "api_key.rotated" | "api_key.revoked";
  readonly key: ApiKey;
  readonly details?: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

/**
 * Writes the audit entry and the event for a change to a key. Both are stored with the key's mode, which can differ
 * from the caller's mode.
 */
export async function recordKeyChange(
  tx: Tx,
  actor: Actor,
  { action, key, details = {}, occurredAt }: RecordKeyChange,
): Promise<void> {
  const subject = { type: "api_key", id: key.keyId };
  const facts = { name: key.name, mode: key.mode, ...details };
  const keyActor = { ...actor, mode: key.mode };
  const data = { key_id: key.keyId, ...facts };
  await recordEntryAndEvent(tx, keyActor, { action, subject, facts, occurredAt }, () => data);
}

interface ListOwnApiKeys {
  readonly tenantId: TenantId;
  readonly modes: readonly Mode[];
  /** The ID of the last revoked key on the previous page. Undefined for the first page. */
  readonly beforeKeyId: string | undefined;
  readonly limit: number;
}

interface ApiKeyPage {
  readonly keys: readonly ApiKey[];
  /** The ID of the last revoked key on this page. Null on the last page. */
  readonly nextBefore: string | null;
}

/**
 * Returns one page of the tenant's keys, newest first. Each key's last use includes uses buffered in this process. The
 * first page contains all keys that are not revoked and the newest revoked keys; later pages contain only revoked keys.
 */
export async function listOwnApiKeys(
  app: Pick<App, "db" | "keyUses">,
  { limit, ...command }: ListOwnApiKeys,
): Promise<ApiKeyPage> {
  const { current, found } = await withTransaction(app.db, command.tenantId, async (tx) => ({
    current: command.beforeKeyId === undefined ? await listUnrevokedKeys(tx, command) : [],
    found: await listRevokedKeys(tx, command, limit + 1),
  }));
  const revoked = found.slice(0, limit);
  const keys = [...current, ...revoked].sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.keyId < b.keyId ? 1 : -1),
  );
  return {
    keys: keys.map((key) => {
      const use = app.keyUses.get(key.keyId);
      return use === undefined ? key : { ...key, lastUsedAt: use.at, lastUsedNetwork: use.network };
    }),
    nextBefore: found.length > limit ? (revoked.at(-1)?.keyId ?? null) : null,
  };
}

const ACTIVE_KEYS_MAX = 100;

/** A part that is undefined is copied from the caller's authority, except that `scopes` has a default. */
type RequestedAuthority = { readonly [Part in AuthorityPart]?: KeyAuthority[Part] | undefined };

/** A request for a new API key, which expires in the future if it expires. */
export interface GrantApiKey extends RequestedAuthority {
  readonly actor: Actor;
  readonly name: string;
  readonly mode: Mode;
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * An Ed25519 public key. The caller must have checked proof of possession. If undefined, a secret is generated to
   * sign requests.
   */
  readonly publicKey?: string | undefined;
}

export async function grantApiKey(
  app: KeyChangeAccess & Pick<App, "keyEncryptionKey" | "vaults">,
  command: GrantApiKey,
  saveResponse: SaveResponse<IssuedApiKey>,
): Promise<IssuedApiKey> {
  const { actor, name, metadata, publicKey } = command;
  const { tenantId } = actor;
  const vault = await openVault(app, tenantId);
  return changeKeys(app, actor, async ({ tx, at, held }) => {
    const authority = requestedAuthority(command, held);
    assertWithinAuthority(authority, held);
    await assertKeyLimit(tx, command, at);
    const issued = await issueApiKey(tx, vault, {
      tenantId,
      name,
      metadata,
      ...authority,
      createdAt: at,
      isAccountPair: false,
      publicKey: publicKey ?? null,
    });
    const { key } = issued;
    const details = {
      scopes: [...key.scopes],
      agent_ids: [...key.agentIds],
      project_ids: [...key.projectIds],
      ip_allowlist: [...key.ipAllowlist],
      expires_at: key.expiresAt?.toISOString() ?? null,
    };
    await recordKeyChange(tx, actor, { action: "api_key.created", key, details, occurredAt: at });
    await saveResponse(tx, issued);
    return issued;
  });
}

function requestedAuthority(command: GrantApiKey, held: KeyAuthority): KeyAuthority {
  const { mode, scopes, agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt } = command;
  return {
    mode,
    scopes: scopes ?? defaultKeyScopes(mode).filter((scope) => held.scopes.includes(scope)),
    agentIds: agentIds ?? held.agentIds,
    projectIds: projectIds ?? held.projectIds,
    ipAllowlist: ipAllowlist ?? held.ipAllowlist,
    rateLimitPerMinute: rateLimitPerMinute === undefined ? held.rateLimitPerMinute : rateLimitPerMinute,
    expiresAt: expiresAt === undefined ? held.expiresAt : expiresAt,
  };
}

async function assertKeyLimit(tx: Tx, { actor: { tenantId } }: GrantApiKey, at: Date): Promise<void> {
  if ((await countActiveKeys(tx, tenantId, at)) < ACTIVE_KEYS_MAX) return;
  throw new AppError("conflict", {
    detail: `An account can have at most ${ACTIVE_KEYS_MAX} keys. Revoke a key that you no longer use.`,
  });
}

interface IssueApiKey extends Partial<KeyAuthority>, Partial<Pick<ApiKey, "metadata">> {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly name: string;
  readonly createdAt: Date;
  /** True for the account's own key pair, which is the one replaced by `POST /developers/rotate-key`. */
  readonly isAccountPair: boolean;
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

/** Inserts a new key. The returned API key and secret cannot be retrieved later. */
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
