/**
 * The closed lists of words that stand in the database and on the wire alike. Routes build their
 * schemas from the lists; the types follow from them. A word is added here and in a migration.
 */
export const MODES = ["live", "test"] as const;
export type Mode = (typeof MODES)[number];

/** Contract, section 11. What a key has that names none: `defaultKeyScopes`. A dashboard session has all. */
export const SCOPES = [
  "projects:read",
  "projects:write",
  "services:write",
  "env:read",
  "wallets:read",
  "wallets:write",
  "wallets:freeze",
  "payments:read",
  "payments:write",
  "fiat:read",
  "fiat:write",
  "agents:read",
  "agents:write",
  "policies:read",
  "policies:write",
  "approvals:read",
  "approvals:write",
  "keys:read",
  "keys:write",
  "provider_keys:read",
  "provider_keys:write",
  "audit:read",
  "webhooks:read",
  "webhooks:write",
  "events:read",
  "kill_switch:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * What a key may do that names no scopes: everything except deciding approvals (contract, section 11) and, for a test key,
 * reading the audit trail, which is one for both modes (ruling 42).
 */
export function defaultKeyScopes(mode: Mode): readonly Scope[] {
  return SCOPES.filter(
    (scope) => scope !== "approvals:write" && (mode === "live" || scope !== "audit:read"),
  );
}

export const AUDIT_CHAINS = ["tenant", "provider_keys"] as const;
export type AuditChain = (typeof AUDIT_CHAINS)[number];

export const CAP_BEHAVIORS = ["block", "require_approval"] as const;
export type CapBehavior = (typeof CAP_BEHAVIORS)[number];

export const AGENT_STATUSES = ["active", "suspended", "revoked", "expired"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export const LINK_FLOWS = ["oauth", "api_token", "instant"] as const;
export type LinkFlow = (typeof LINK_FLOWS)[number];

export const LINK_STATUSES = ["pending_auth", "linked", "failed", "expired", "revoked"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/**
 * Why a link failed, in words of our own: what a provider's redirect says is mapped to one of them, and never repeated.
 *
 * - `access_denied`: whoever was asked said no.
 * - `exchange_failed`: the provider did not give tokens for the code, or did not say whose account they open.
 * - `token_refused`: no pasted token was good.
 * - `provider_refused`: the provider sent people back with another error.
 * - `provider_unavailable`: the provider could not be asked.
 * - `other_account`: services of the project live in another account of the provider.
 * - `project_not_active`: the project was deleted, or is no longer active.
 */
export const LINK_ERRORS = [
  "access_denied",
  "exchange_failed",
  "token_refused",
  "provider_refused",
  "provider_unavailable",
  "other_account",
  "project_not_active",
] as const;
export type LinkError = (typeof LINK_ERRORS)[number];

export const SERVICE_STATUSES = [
  "pending",
  "requires_action",
  "provisioning",
  "active",
  "updating",
  "rotating",
  "suspended",
  "removing",
  "removed",
  "failed",
] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

export const OPERATION_STATUSES = [
  "running",
  "requires_approval",
  "succeeded",
  "failed",
  "compensated",
  "needs_operator",
] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const STEP_STATUSES = [
  "pending",
  "running",
  "succeeded",
  "failed",
  "compensated",
  "skipped",
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Where developers sign in that is not here. */
export const IDENTITY_PROVIDERS = ["github", "google"] as const;
export type IdentityProviderName = (typeof IDENTITY_PROVIDERS)[number];

/** Whose keys the vault keeps (contract, section 2), each with the kind that the specification names. */
export const KEYED_PROVIDERS = ["pimlico", "turnkey", "fireblocks", "bridge", "helius"] as const;
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

export const VERIFICATION_STATUSES = ["verified", "failed", "unverified", "unreachable"] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const KYB_DECISIONS = ["verified", "rejected", "revoked"] as const;
export type KybDecision = (typeof KYB_DECISIONS)[number];

/**
 * Why a request that named a key was 401, as only the key's owner is told.
 *
 * - `timestamp_skewed` (step 2): the timestamp is no time, or too far from ours.
 * - `nonce_malformed`, `nonce_replayed` (step 3).
 * - `key_revoked`, `key_expired`, `network_not_allowed` (step 4).
 * - `signature_mismatch` (step 5), and `signature_replayed` where the replay guard refused it.
 */
export const AUTH_FAILURE_REASONS = [
  "timestamp_skewed",
  "nonce_malformed",
  "nonce_replayed",
  "key_revoked",
  "key_expired",
  "network_not_allowed",
  "signature_mismatch",
  "signature_replayed",
] as const;
export type AuthFailureReason = (typeof AUTH_FAILURE_REASONS)[number];
