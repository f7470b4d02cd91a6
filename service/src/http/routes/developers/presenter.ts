import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { IDENTITY_PROVIDERS, SCOPES } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import {
  type ApiKey,
  type DeveloperProfile,
  kybStatusAt,
} from "../../../modules/developers/index.ts";

const Capability = Type.Enum(["unrequested", "pending", "active", "inactive"]);

export const DeveloperOut = Type.Object(
  {
    object: Type.Literal("developer"),
    developer_id: Type.String(),
    email: Type.String(),
    name: Nullable(Type.String()),
    company_name: Nullable(Type.String()),
    website: Nullable(Type.String()),
    country: Nullable(Type.String()),
    timezone: Type.String(),
    billing_email: Nullable(Type.String()),
    notification_preferences: Type.Record(Type.String(), Type.Boolean()),
    status: Type.Enum(["pending_verification", "active", "suspended", "closed"]),
    email_verified: Type.Boolean(),
    kyb: Type.Object({
      status: Type.Enum(["unverified", "pending", "verified", "rejected", "revoked", "expired"]),
      verified_at: Nullable(Timestamp),
      expires_at: Nullable(Timestamp),
      reference: Nullable(Type.String()),
    }),
    mfa_enabled: Type.Boolean(),
    auth_methods: Type.Array(Type.Enum(["password", ...IDENTITY_PROVIDERS])),
    live_access: Type.Boolean(),
    capabilities: Type.Object({
      live_keys: Capability,
      live_wallets: Capability,
      fiat: Capability,
    }),
    requirements: Type.Record(
      Type.String(),
      Type.Object({ status: Type.Enum(["due", "pending", "satisfied"]) }),
    ),
    limits: Type.Object({
      agents: Nullable(Type.Integer()),
      projects: Nullable(Type.Integer()),
    }),
    default_policy_id: Nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Developer" },
);

const KYB_DUE = { kyb_documents: { status: "due" } } as const;
const REQUIREMENTS = {
  unverified: KYB_DUE,
  pending: { kyb_documents: { status: "pending" } },
  verified: {},
  rejected: KYB_DUE,
  revoked: KYB_DUE,
  expired: KYB_DUE,
} as const;

/** The developer's profile as the wire shows it (contract, section 1). */
export function presentDeveloper(
  { clock, settings }: Pick<App, "clock" | "settings">,
  developer: DeveloperProfile,
) {
  const kyb = kybStatusAt(developer, clock.now());
  const emailVerified = developer.emailVerifiedAt !== null;
  const capability = emailVerified ? ("active" as const) : ("inactive" as const);
  return {
    object: "developer" as const,
    developer_id: developer.tenantId,
    email: developer.email,
    name: developer.name,
    company_name: developer.companyName,
    website: developer.website,
    country: developer.country,
    timezone: developer.timezone,
    billing_email: developer.billingEmail,
    notification_preferences: developer.notificationPreferences,
    status: developer.status,
    email_verified: emailVerified,
    kyb,
    mfa_enabled: developer.mfaEnabled,
    auth_methods: [...developer.authMethods],
    live_access: emailVerified,
    capabilities: { live_keys: capability, live_wallets: capability, fiat: capability },
    requirements: REQUIREMENTS[kyb.status],
    limits: { agents: null, projects: settings.projectsMax },
    default_policy_id: null,
    created_at: developer.createdAt.toISOString(),
    updated_at: developer.updatedAt.toISOString(),
  };
}

export const ApiKeyOut = Type.Object(
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

/** A key's entry (contract, section 1). What signs is not among the fields, and never in the row that comes here. */
export function presentApiKey(key: ApiKey, now: Date) {
  return {
    object: "api_key" as const,
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

function statusOf(key: ApiKey, now: Date) {
  if (key.revokedAt !== null) return "revoked" as const;
  const isOver = [key.expiresAt, key.graceExpiresAt].some((end) => end !== null && end <= now);
  if (isOver) return "expired" as const;
  return key.graceExpiresAt === null ? ("active" as const) : ("rotating" as const);
}
