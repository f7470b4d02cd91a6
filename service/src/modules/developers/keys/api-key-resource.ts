import { type Static, Type } from "typebox";
import { SCOPES } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import type { IssuedApiKey } from "./issue-api-key.ts";
import type { ApiKey } from "./queries.ts";
import type { RevokedApiKey } from "./revoke-api-key.ts";

/** An API key, without its secret (docs/api.md). */
export const ApiKeyResource = Type.Object(
  {
    object: Type.Literal("api_key"),
    key_id: Type.String(),
    name: Type.String(),
    mode: ModeName,
    key_prefix: Type.String(),
    key_hint: Type.String(),
    signature_alg: Type.Enum(["hmac-sha256", "ed25519"]),
    status: Type.Enum(["active", "rotating", "expired", "revoked", "disabled"]),
    scopes: Type.Array(Type.Enum([...SCOPES])),
    agent_ids: Type.Array(Type.String()),
    project_ids: Type.Array(Type.String()),
    ip_allowlist: Type.Array(Type.String()),
    rate_limit_per_minute: Nullable(Type.Integer()),
    metadata: Type.Record(Type.String(), Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    created_by: Type.String(),
    expires_at: Nullable(Timestamp),
    last_used_at: Nullable(Timestamp),
    last_used_ip: Nullable(Type.String()),
    rotated_from: Nullable(Type.String()),
    replaced_by: Nullable(Type.String()),
    grace_expires_at: Nullable(Timestamp),
    revoked_at: Nullable(Timestamp),
    revoke_reason: Nullable(Type.String()),
  },
  { $id: "ApiKey" },
);

/** The two texts of a new key pair. No other answer has them. */
export const pairFields = {
  api_key: Type.String({ description: "Shown once." }),
  api_secret: Nullable(
    Type.String({ description: "Shown once. Null if the key signs with a private key." }),
  ),
};

/** A new API key, with its pair. */
export const IssuedApiKeyResource = Type.Object(
  { ...ApiKeyResource.properties, ...pairFields },
  { $id: "IssuedApiKey" },
);

export const RevokedApiKeyResource = Type.Object(
  {
    ...ApiKeyResource.properties,
    warnings: Type.Optional(Type.Array(Type.Enum(["last_live_key"]))),
  },
  { $id: "RevokedApiKey" },
);

export function presentApiKey(key: ApiKey, now: Date): Static<typeof ApiKeyResource> {
  return {
    object: "api_key",
    key_id: key.keyId,
    name: key.name,
    mode: key.mode,
    key_prefix: `svc_sk_${key.mode}_`,
    key_hint: key.keyHint,
    signature_alg: key.signatureAlg,
    status: statusOf(key, now),
    scopes: [...key.scopes],
    agent_ids: [...key.agentIds],
    project_ids: [...key.projectIds],
    ip_allowlist: [...key.ipAllowlist],
    rate_limit_per_minute: key.rateLimitPerMinute,
    metadata: key.metadata,
    created_at: key.createdAt.toISOString(),
    updated_at: key.updatedAt.toISOString(),
    created_by: key.createdBy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_ip: key.lastUsedNetwork,
    rotated_from: key.rotatedFrom,
    replaced_by: key.replacedBy,
    grace_expires_at: key.graceExpiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revoke_reason: key.revokeReason,
  };
}

function statusOf(key: ApiKey, now: Date): Static<typeof ApiKeyResource>["status"] {
  if (key.revokedAt !== null) return "revoked";
  const isOver = [key.expiresAt, key.graceExpiresAt].some((end) => end !== null && end <= now);
  if (isOver) return "expired";
  return key.graceExpiresAt === null ? "active" : "rotating";
}

export function presentPair({ apiKey, apiSecret }: Pick<IssuedApiKey, "apiKey" | "apiSecret">): {
  api_key: string;
  api_secret: string | null;
} {
  return { api_key: apiKey, api_secret: apiSecret };
}

export function presentIssuedApiKey(
  { key, ...pair }: IssuedApiKey,
  now: Date,
): Static<typeof IssuedApiKeyResource> {
  return { ...presentApiKey(key, now), ...presentPair(pair) };
}

export function presentRevokedApiKey(
  { key, wasLastLiveKey }: RevokedApiKey,
  now: Date,
): Static<typeof RevokedApiKeyResource> {
  return { ...presentApiKey(key, now), ...(wasLastLiveKey && { warnings: ["last_live_key"] }) };
}
