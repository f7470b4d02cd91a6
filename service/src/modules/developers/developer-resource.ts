import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { IDENTITY_PROVIDERS } from "../../foundation/vocabulary.ts";
import { Nullable, Timestamp } from "../../foundation/wire/common.ts";
import { type KybStatus, kybStatusAt } from "./kyb/kyb-status-at.ts";
import type { DeveloperProfile } from "./queries.ts";

const Capability = Type.Enum(["unrequested", "pending", "active", "inactive"]);

const KybStatusResource = Type.Object(
  {
    status: Type.Enum(["unverified", "pending", "verified", "rejected", "revoked", "expired"]),
    verified_at: Nullable(Timestamp),
    expires_at: Nullable(Timestamp),
    reference: Nullable(Type.String()),
  },
  { $id: "KybStatus" },
);

const DeveloperCapabilitiesResource = Type.Object(
  { live_keys: Capability, live_wallets: Capability, fiat: Capability },
  { $id: "DeveloperCapabilities" },
);

const DeveloperRequirementResource = Type.Object(
  { status: Type.Enum(["due", "pending", "satisfied"]) },
  { $id: "DeveloperRequirement" },
);

/** A developer's profile (docs/api.md). */
export const DeveloperResource = Type.Object(
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
    kyb: KybStatusResource,
    mfa_enabled: Type.Boolean(),
    auth_methods: Type.Array(Type.Enum(["password", ...IDENTITY_PROVIDERS])),
    live_access: Type.Boolean(),
    capabilities: DeveloperCapabilitiesResource,
    requirements: Type.Record(Type.String(), DeveloperRequirementResource),
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

type Requirements = Static<typeof DeveloperResource>["requirements"];

const KYB_DUE: Requirements = { kyb_documents: { status: "due" } };
const REQUIREMENTS: Readonly<Record<KybStatus["status"], Requirements>> = {
  unverified: KYB_DUE,
  pending: { kyb_documents: { status: "pending" } },
  verified: {},
  rejected: KYB_DUE,
  revoked: KYB_DUE,
  expired: KYB_DUE,
};

export function presentDeveloper(
  { clock, settings }: Pick<App, "clock" | "settings">,
  developer: DeveloperProfile,
): Static<typeof DeveloperResource> {
  const kyb = kybStatusAt(developer, clock.now());
  const emailVerified = developer.emailVerifiedAt !== null;
  const capability = emailVerified ? "active" : "inactive";
  return {
    object: "developer",
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
