import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import { defaultKeyScopes, type Mode, type Scope } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type IssuedApiKey, issueApiKey } from "./issue-api-key.ts";
import { assertWithinAuthority, type KeyAuthority } from "./key-authority.ts";
import { countActiveKeys } from "./queries.ts";
import { recordKeyChange } from "./record-key-change.ts";

const ACTIVE_KEYS_MAX = 100;

/**
 * A request for a new API key. Undefined fields, except `scopes` and `publicKey`, are copied from the caller's
 * authority.
 */
export interface GrantApiKey {
  readonly actor: Actor;
  readonly name: string;
  readonly mode: Mode;
  /** Defaults to the scopes in `defaultKeyScopes` that the caller also has. */
  readonly scopes?: readonly Scope[] | undefined;
  /** UUIDs in lowercase. */
  readonly agentIds?: readonly string[] | undefined;
  /** IDs of the tenant's projects in the key's mode. */
  readonly projectIds?: readonly string[] | undefined;
  /** CIDR networks in the format returned by `formatNetwork`. */
  readonly ipAllowlist?: readonly string[] | undefined;
  /** Requests per minute. Null means the default limit for keys. */
  readonly rateLimitPerMinute?: number | null | undefined;
  /** A time in the future, or null if the key never expires. */
  readonly expiresAt?: Date | null | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * An Ed25519 public key. The caller must have checked proof of possession. If undefined, a secret is generated to
   * sign requests.
   */
  readonly publicKey?: string | undefined;
}

/**
 * Issues an API key. Throws `insufficient_scope` if the key would have more authority than the caller, and `conflict`
 * if the account already has 100 valid keys, not counting replaced ones.
 */
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
