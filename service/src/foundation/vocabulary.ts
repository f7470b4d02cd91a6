/**
 * Enumerations that are used in the database and in the API. Schemas and types are derived from them. To add a value,
 * add it here and in a migration.
 */
export const MODES = ["live", "test"] as const;
export type Mode = (typeof MODES)[number];

/** All scopes (docs/rules/scopes.md). */
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

/** The scopes that a key bound to agents can use. Every route of another scope refuses such keys. */
export const AGENT_BOUND_SCOPES: readonly Scope[] = [
  "projects:read",
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
  "policies:read",
  "approvals:read",
  "audit:read",
];

/** The scopes that a key bound to projects can use. Every route of another scope refuses such keys. */
export const PROJECT_BOUND_SCOPES: readonly Scope[] = [
  "projects:read",
  "projects:write",
  "services:write",
  "env:read",
  "agents:read",
  "audit:read",
];

/**
 * Returns the scopes of a key that is created without `scopes` (docs/rules/scopes.md): all except `approvals:write`.
 * A test key also lacks `audit:read`, because the audit chains contain the entries of both modes.
 */
export function defaultKeyScopes(mode: Mode): readonly Scope[] {
  return SCOPES.filter((scope) => scope !== "approvals:write" && (mode === "live" || scope !== "audit:read"));
}

export const AUDIT_CHAINS = ["tenant", "provider_keys"] as const;
export type AuditChain = (typeof AUDIT_CHAINS)[number];

export const CAP_BEHAVIORS = ["block", "require_approval"] as const;
export type CapBehavior = (typeof CAP_BEHAVIORS)[number];

export const AGENT_STATUSES = ["active", "suspended", "revoked", "expired"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** How well an agent is known, from the least to the most. */
export const KYA_LEVELS = ["none", "basic", "verified", "attested"] as const;
export type KyaLevel = (typeof KYA_LEVELS)[number];

/** What a policy decides about. */
export const POLICY_OPERATIONS = [
  "payment",
  "x402",
  "mpp",
  "contract_call",
  "service.add",
  "service.upgrade",
  "env.pull",
  "on_ramp",
  "off_ramp",
  "wallet.create",
] as const;
export type PolicyOperation = (typeof POLICY_OPERATIONS)[number];

export const POLICY_OUTCOMES = ["allow", "require_approval", "deny"] as const;
export type PolicyOutcome = (typeof POLICY_OUTCOMES)[number];

export const APPROVAL_STATUSES = ["pending", "approved", "denied", "expired", "canceled"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const LINK_FLOWS = ["oauth", "api_token", "instant"] as const;
export type LinkFlow = (typeof LINK_FLOWS)[number];

export const LINK_STATUSES = ["pending_auth", "linked", "failed", "expired", "revoked"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/**
 * Why a provider account could not be linked to a project. Responses never contain a provider's own error texts.
 *
 * - `access_denied`: the user denied access.
 * - `exchange_failed`: the provider did not exchange the code for tokens, or its response did not identify the account.
 * - `token_refused`: the pasted tokens were invalid.
 * - `provider_refused`: the provider redirected the user back with any other error.
 * - `provider_unavailable`: the provider could not be reached.
 * - `other_account`: the project's services belong to a different provider account.
 * - `project_not_active`: the project is deleted or not active.
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

/** The periods of budgets. Calendar periods are in UTC. A rolling window ends at the current minute or hour. */
export const BUDGET_PERIODS = [
  "calendar_day",
  "calendar_month",
  "rolling_1h",
  "rolling_24h",
  "rolling_7d",
  "rolling_30d",
] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Who bills the developer for a plan: the vendor through the linked account, or Purser. */
export const BILLERS = ["vendor", "purser"] as const;
export type Biller = (typeof BILLERS)[number];

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

export const ROTATION_REASONS = ["scheduled", "compromised", "personnel"] as const;
export type RotationReason = (typeof ROTATION_REASONS)[number];

export const OPERATION_STATUSES = [
  "running",
  "requires_approval",
  "succeeded",
  "failed",
  "compensated",
  "needs_operator",
] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const STEP_STATUSES = ["pending", "running", "succeeded", "failed", "compensated", "skipped"] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/**
 * Accounts of the kinds `wallet`, `bank` and `in_transit` keep a balance. The other kinds are clearing accounts, which
 * keep none.
 */
export type LedgerAccountKind = "wallet" | "bank" | "in_transit" | "external" | "faucet" | "fees";

export const WALLET_STATUSES = ["active", "freezing", "frozen", "unfreezing", "closed"] as const;
export type WalletStatus = (typeof WALLET_STATUSES)[number];

/** Who holds the keys of wallets. */
export const WALLET_SIGNERS = ["local", "turnkey", "aws-kms"] as const;
export type WalletSignerName = (typeof WALLET_SIGNERS)[number];

export const DEPLOYMENT_STATUSES = ["counterfactual", "deploying", "deployed", "failed"] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** What the freeze of a wallet refuses: outgoing transfers, or incoming transfers too. */
export const FREEZE_MODES = ["outgoing_only", "full"] as const;
export type FreezeMode = (typeof FREEZE_MODES)[number];

/** Who froze a wallet. Only an admin lifts a freeze by an admin. */
export const FREEZE_SOURCES = ["developer", "admin"] as const;
export type FreezeSource = (typeof FREEZE_SOURCES)[number];

export const FREEZE_REASONS = [
  "compliance",
  "compliance_review",
  "suspected_compromise",
  "sanctions_match",
  "policy_violation",
  "anomaly",
  "user_request",
  "legal_order",
  "other",
] as const;
export type FreezeReason = (typeof FREEZE_REASONS)[number];

/** The freeze of the account on the chain. `simulated` in test mode, which has no chain. */
export const ONCHAIN_FREEZE_STATUSES = [
  "not_frozen",
  "pending",
  "confirmed",
  "failed",
  "unfreeze_pending",
  "simulated",
] as const;
export type OnchainFreezeStatus = (typeof ONCHAIN_FREEZE_STATUSES)[number];

/** What the operator's keys do to the account of a live wallet. */
export type GuardianAction = "freeze" | "unfreeze";

/** What a kill switch reports about the freeze of a wallet on its chain. `blocked_pending`: it is not frozen there yet. */
export const ONCHAIN_KILL_OUTCOMES = ["simulated", "confirmed", "blocked_pending", "failed"] as const;
export type OnchainKillOutcome = (typeof ONCHAIN_KILL_OUTCOMES)[number];

/** What can require a verified business in live mode. */
export const KYB_USES = ["fiat", "live_payments"] as const;
export type KybUse = (typeof KYB_USES)[number];

/** How a bank account is verified: by a login at the bank, or by small deposits that the vendor reads back. */
export const BANK_VERIFICATION_METHODS = ["instant", "micro_deposit"] as const;
export type BankVerificationMethod = (typeof BANK_VERIFICATION_METHODS)[number];

export const HOLDER_TYPES = ["individual", "business"] as const;
export type HolderType = (typeof HOLDER_TYPES)[number];

export const FIAT_ACCOUNT_STATUSES = [
  "pending_verification",
  "verified",
  "relink_required",
  "disabled",
  "removed",
] as const;
export type FiatAccountStatus = (typeof FIAT_ACCOUNT_STATUSES)[number];

export const KYC_STATUSES = ["approved", "pending", "review", "rejected"] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export const CONVERSION_DIRECTIONS = ["on_ramp", "off_ramp"] as const;
export type ConversionDirection = (typeof CONVERSION_DIRECTIONS)[number];

/** The states of a conversion (docs/rules/conversions.md). */
export const CONVERSION_STATUSES = [
  "quoted",
  "awaiting_funds",
  "in_review",
  "funds_received",
  "payment_submitted",
  "completed",
  "undeliverable",
  "returned",
  "missing_return_policy",
  "refund_in_flight",
  "refunded",
  "refund_failed",
  "canceled",
  "expired",
  "failed",
] as const;
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];

/** What a caller can name as a payee. `merchant` and `x402_url` cannot be paid yet. */
export const PAYEE_TYPES = ["address", "agent", "wallet", "x402_url", "merchant"] as const;
export type PayeeType = (typeof PAYEE_TYPES)[number];

export const PAYMENT_EXECUTIONS = ["auto", "authorize_only"] as const;
export type PaymentExecution = (typeof PAYMENT_EXECUTIONS)[number];

/** The states of a payment (docs/rules/payments.md). */
export const PAYMENT_STATUSES = [
  "requires_approval",
  "approved",
  "queued",
  "signing",
  "submitted",
  "confirmed",
  "authorized",
  "captured",
  "voided",
  "denied",
  "rejected",
  "expired",
  "canceled",
  "failed",
  "dropped",
  "refunded",
  "partially_refunded",
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * A payment with one of these statuses waits for an approval, a capture or its turn on a chain. It expires at its `expires_at`
 * if it has one.
 */
export const WAITING_PAYMENT_STATUSES: readonly PaymentStatus[] = ["requires_approval", "authorized", "queued"];

/**
 * How an operation of a live wallet has ended. `confirmed` and `reverted`: it is in a final block, and was executed or has
 * failed. `expired`, `frozen` and `replaced`: it can no longer be in any block, because of its time, the account's epoch or its
 * nonce. `not_sent`: it was given up before anyone received it.
 */
export const USER_OPERATION_OUTCOMES = ["confirmed", "reverted", "expired", "frozen", "replaced", "not_sent"] as const;
export type UserOperationOutcome = (typeof USER_OPERATION_OUTCOMES)[number];

/** What a kill switch kills, together with everything below it. */
export const KILL_SWITCH_SCOPES = ["agent", "project", "developer"] as const;
export type KillSwitchScope = (typeof KILL_SWITCH_SCOPES)[number];

/** `blocked_pending`: the kill switch has ended, and at least one target is not dead yet. */
export const KILL_SWITCH_STATUSES = ["running", "completed", "blocked_pending"] as const;
export type KillSwitchStatus = (typeof KILL_SWITCH_STATUSES)[number];

/** `project_env`: the credentials in the environments of a project, which are to be rotated. */
export const KILL_SWITCH_TARGET_TYPES = [
  "project",
  "agent",
  "wallet",
  "approval",
  "payment",
  "project_env",
  "api_key",
] as const;
export type KillSwitchTargetType = (typeof KILL_SWITCH_TARGET_TYPES)[number];

/**
 * - `already_dead`: the target could not act before the kill switch.
 * - `blocked_pending`: the target still works, because what stops it is not available yet.
 */
export const KILL_SWITCH_OUTCOMES = ["killed", "already_dead", "blocked_pending", "failed"] as const;
export type KillSwitchOutcome = (typeof KILL_SWITCH_OUTCOMES)[number];

/** Identity providers that developers can log in with. */
export const IDENTITY_PROVIDERS = ["github", "google"] as const;
export type IdentityProviderName = (typeof IDENTITY_PROVIDERS)[number];

/** What an emailed token can be used for. Each token has one purpose. */
export const EMAIL_TOKEN_PURPOSES = ["verify_email", "reset_password", "revoke_keys"] as const;
export type EmailTokenPurpose = (typeof EMAIL_TOKEN_PURPOSES)[number];

/** Vendors whose API keys a developer can save (docs/rules/provider-keys.md). */
export const KEYED_PROVIDERS = ["pimlico", "turnkey", "fireblocks", "bridge", "helius"] as const;
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

export const VERIFICATION_STATUSES = ["verified", "failed", "unverified", "unreachable"] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const KYB_DECISIONS = ["verified", "rejected", "revoked"] as const;
export type KybDecision = (typeof KYB_DECISIONS)[number];

/**
 * Why a request with an API key got a 401 (docs/rules/signing.md). Only the key's owner can read the reason.
 *
 * - `header_missing` (step 1): a signing header is absent. `mode_missing` (step 1): a dashboard token without `X-Svc-Mode`.
 * - `timestamp_skewed` (step 2): the timestamp is malformed, or too far from the server's clock.
 * - `nonce_malformed`, `nonce_replayed` (step 3).
 * - `key_revoked`, `key_expired`, `network_not_allowed` (step 4).
 * - `signature_mismatch` (step 5), and `signature_replayed` if the signature was already used.
 */
export const AUTH_FAILURE_REASONS = [
  "header_missing",
  "mode_missing",
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

/** Kinds of deployment: `production`, `test` for the test suite, and `local` for `npm start`. */
export const PROFILES = ["production", "test", "local"] as const;
export type Profile = (typeof PROFILES)[number];
export const WEBHOOK_DISABLED_REASONS = ["failing", "gone"] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
