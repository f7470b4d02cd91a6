import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import { defaultKeyScopes, type Mode, type Scope } from "../../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { assertWithinAuthority } from "./assert-within-authority.ts";
import { changeKeys, type KeyChangeAccess } from "./change-keys.ts";
import { type IssuedApiKey, issueApiKey } from "./issue-api-key.ts";
import type { KeyAuthority } from "./key-authority.ts";
import { countActiveKeys } from "./queries.ts";
import { recordKeyChange } from "./record-key-change.ts";

const STANDING_KEYS_MAX = 100n;

/** What is not said of the new key's authority is as its maker's. */
export interface GrantApiKey {
  readonly actor: Actor;
  readonly name: string;
  readonly mode: Mode;
  /** Undefined: those of `defaultKeyScopes` that the maker has. */
  readonly scopes: readonly Scope[] | undefined;
  /** UUIDs in lower case. */
  readonly agentIds: readonly string[] | undefined;
  /** Of the tenant, and of the mode. */
  readonly projectIds: readonly string[] | undefined;
  /** CIDR, as `formatNetwork` writes it. */
  readonly ipAllowlist: readonly string[] | undefined;
  /** Null: the bucket of keys that have none of their own. */
  readonly rateLimitPerMinute: number | null | undefined;
  /** In the future. Null: it never ends by itself. */
  readonly expiresAt: Date | null | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** An Ed25519 key whose possession has been proven. Undefined: requests are signed with a secret. */
  readonly publicKey: string | undefined;
}

/**
 * Issues a key that may do no more than whoever asks for it (`insufficient_scope`). An account has at most a hundred that
 * are neither over nor replaced (`conflict`).
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
    const authority = authorityAskedFor(command, held);
    assertWithinAuthority(authority, held);
    await refuseOneTooMany(tx, command, at);
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
    const more = {
      scopes: [...key.scopes],
      agent_ids: [...key.agentIds],
      project_ids: [...key.projectIds],
      ip_allowlist: [...key.ipAllowlist],
      expires_at: key.expiresAt?.toISOString() ?? null,
    };
    await recordKeyChange(tx, actor, { action: "api_key.created", key, more, occurredAt: at });
    await saveResponse(tx, issued);
    return issued;
  });
}

function authorityAskedFor(command: GrantApiKey, held: KeyAuthority): KeyAuthority {
  const { mode, scopes, agentIds, projectIds, ipAllowlist, rateLimitPerMinute, expiresAt } =
    command;
  return {
    mode,
    scopes: scopes ?? defaultKeyScopes(mode).filter((scope) => held.scopes.includes(scope)),
    agentIds: agentIds ?? held.agentIds,
    projectIds: projectIds ?? held.projectIds,
    ipAllowlist: ipAllowlist ?? held.ipAllowlist,
    rateLimitPerMinute:
      rateLimitPerMinute === undefined ? held.rateLimitPerMinute : rateLimitPerMinute,
    expiresAt: expiresAt === undefined ? held.expiresAt : expiresAt,
  };
}

async function refuseOneTooMany(
  tx: Tx,
  { actor: { tenantId } }: GrantApiKey,
  at: Date,
): Promise<void> {
  if ((await countActiveKeys(tx, { tenantId, at })) < STANDING_KEYS_MAX) return;
  throw new AppError("conflict", {
    detail: `An account has at most ${STANDING_KEYS_MAX} keys. Revoke one that is not used.`,
  });
}
