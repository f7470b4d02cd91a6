import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { IDENTITY_PROVIDERS, type Mode } from "../../foundation/vocabulary.ts";
import { Flag, ListOf, NamedObject, Nullable, OneOf, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { type KybStatus, kybStatusAt } from "./kyb/kyb-status.ts";
import type { DeveloperProfile } from "./queries.ts";

const Capability = OneOf(
  ["unrequested", "pending", "active", "inactive"],
  "Status of this feature. `active` if the developer's email address is verified, `inactive` if not. The other values are not used in this API version.",
);

const KybStatusResource = Type.Object(
  {
    status: OneOf(
      ["unverified", "pending", "verified", "rejected", "revoked", "expired"],
      "Status of the business verification (KYB). Set by an admin; changes to `expired` at `expires_at`.",
    ),
    verified_at: Nullable(
      Timestamp,
      "When an admin verified the business. Null unless `status` is `verified` or `expired`.",
    ),
    expires_at: Nullable(
      Timestamp,
      "When the verification expires. Null if it never expires, or if the business was not verified.",
    ),
    reference: Nullable(
      Type.String(),
      "A reference for the verification, for example a case number. Null if there is none.",
    ),
  },
  { $id: "KybStatus", description: "The developer's business verification (KYB)." },
);

const DeveloperCapabilitiesResource = Type.Object(
  { live_keys: Capability, live_wallets: Capability, fiat: Capability },
  {
    $id: "DeveloperCapabilities",
    description: "The status of each feature that requires a verified email address.",
  },
);

const DeveloperRequirementResource = NamedObject("DeveloperRequirement", {
  status: OneOf(
    ["due", "pending", "satisfied"],
    "Status of the requirement. `due`: the developer must provide the information. `pending`: the information is being reviewed.",
  ),
});

/** A developer's profile (docs/rules/accounts.md). */
export const DeveloperResource = Type.Object(
  {
    object: Type.Literal("developer"),
    developer_id: Text("The developer's id, with the prefix `dev_`."),
    email: Text("The developer's email address in lowercase."),
    name: Nullable(Type.String(), "The developer's name. Null if it is not set."),
    company_name: Nullable(Type.String()),
    website: Nullable(Type.String(), "The developer's website: an http or https URL. Null if it is not set."),
    country: Nullable(
      Type.String(),
      "The developer's country: a two-letter code (ISO 3166-1 alpha-2). Null if it is not set.",
    ),
    timezone: Text("The developer's time zone, from the IANA database. Default: `UTC`."),
    billing_email: Nullable(Type.String(), "The email address for bills. Null if it is not set."),
    notification_preferences: Type.Record(Type.String(), Type.Boolean(), {
      description: "Whether the developer receives each kind of notification. Kinds that were never set are absent.",
    }),
    status: OneOf(
      ["pending_verification", "active", "suspended", "closed"],
      "Status of the developer's account. `pending_verification` until the email address is verified.",
    ),
    email_verified: Type.Boolean(),
    registered_at: Nullable(
      Timestamp,
      "When the developer registered for the API, which creates the first key pair. Null if the developer has not.",
    ),
    kyb: KybStatusResource,
    mfa_enabled: Flag("Whether logging in requires a second factor."),
    auth_methods: ListOf(
      Type.Enum(["password", ...IDENTITY_PROVIDERS]),
      "The ways to log in: the password and the linked identity providers.",
    ),
    live_access: Flag("Whether the developer can use live mode. True once the email address is verified."),
    capabilities: DeveloperCapabilitiesResource,
    requirements: Type.Record(Type.String(), DeveloperRequirementResource, {
      description:
        "Information that Purser requires from the developer, by name, for example `kyb_documents`. Empty if nothing is required.",
    }),
    limits: Type.Object(
      {
        agents: Nullable(Type.Integer(), "Maximum number of agents. `null` means no limit."),
        projects: Nullable(Type.Integer(), "Maximum number of projects. `null` means no limit."),
      },
      { $id: "DeveloperLimits" },
    ),
    default_policy_id: Nullable(
      Type.String(),
      "The starter policy in the mode of the API key or of `X-Svc-Mode`, otherwise in live mode. Null until an agent needs it.",
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Developer", description: "A developer's profile." },
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
  mode: Mode = "live",
): Static<typeof DeveloperResource> {
  const kyb = kybStatusAt(developer, clock.now());
  const emailVerified = developer.emailVerifiedAt !== null;
  const capability = emailVerified ? "active" : "inactive";
  return toWire(DeveloperResource, developer, {
    developer_id: developer.tenantId,
    email_verified: emailVerified,
    kyb,
    live_access: emailVerified,
    capabilities: { live_keys: capability, live_wallets: capability, fiat: capability },
    requirements: REQUIREMENTS[kyb.status],
    limits: { agents: null, projects: settings.projectsMax },
    default_policy_id: developer.starterPolicyIds[mode] ?? null,
  });
}
