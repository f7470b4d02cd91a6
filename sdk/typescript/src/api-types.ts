// Generated from openapi/openapi.json by `npm run openapi`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly KybStatus: {
            /** @enum {string} */
            readonly status: "unverified" | "pending" | "verified" | "rejected" | "revoked" | "expired";
            readonly verified_at: string | null;
            readonly expires_at: string | null;
            readonly reference: string | null;
        };
        readonly DeveloperCapabilities: {
            /** @enum {string} */
            readonly live_keys: "unrequested" | "pending" | "active" | "inactive";
            /** @enum {string} */
            readonly live_wallets: "unrequested" | "pending" | "active" | "inactive";
            /** @enum {string} */
            readonly fiat: "unrequested" | "pending" | "active" | "inactive";
        };
        readonly DeveloperRequirement: {
            /** @enum {string} */
            readonly status: "due" | "pending" | "satisfied";
        };
        /** Developer */
        readonly Developer: {
            /** @enum {string} */
            readonly object: "developer";
            readonly developer_id: string;
            readonly email: string;
            readonly name: string | null;
            readonly company_name: string | null;
            readonly website: string | null;
            readonly country: string | null;
            readonly timezone: string;
            readonly billing_email: string | null;
            readonly notification_preferences: {
                readonly [key: string]: boolean;
            };
            /** @enum {string} */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            readonly kyb: components["schemas"]["KybStatus"];
            readonly mfa_enabled: boolean;
            readonly auth_methods: readonly ("password" | "github" | "google")[];
            readonly live_access: boolean;
            readonly capabilities: components["schemas"]["DeveloperCapabilities"];
            readonly requirements: {
                readonly [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            readonly limits: {
                readonly agents: number | null;
                readonly projects: number | null;
            };
            readonly default_policy_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
        };
        readonly ApiKey: {
            /** @enum {string} */
            readonly object: "api_key";
            readonly key_id: string;
            readonly name: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly key_prefix: string;
            readonly key_hint: string;
            /** @enum {string} */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /** @enum {string} */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            readonly scopes: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            readonly agent_ids: readonly string[];
            readonly project_ids: readonly string[];
            readonly ip_allowlist: readonly string[];
            readonly rate_limit_per_minute: number | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly created_by: string;
            readonly expires_at: string | null;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly rotated_from: string | null;
            readonly replaced_by: string | null;
            readonly grace_expires_at: string | null;
            readonly revoked_at: string | null;
            readonly revoke_reason: string | null;
        };
        readonly AuthFailure: {
            /** @enum {string} */
            readonly object: "auth_failure";
            readonly key_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The step of the verification that failed. */
            readonly step: number;
            /** @enum {string} */
            readonly reason: "timestamp_skewed" | "nonce_malformed" | "nonce_replayed" | "key_revoked" | "key_expired" | "network_not_allowed" | "signature_mismatch" | "signature_replayed";
            readonly skew_seconds: number | null;
            /** @description An IPv4 address, an IPv6 network, or `other` if there were too many. */
            readonly network: string;
            /** @description The number of such requests in one minute. */
            readonly count: number;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @description The time of the last request.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
            /** @description The id of the last request. */
            readonly request_id: string;
        };
        readonly IdentitySession: {
            readonly access_token: string;
            /** @description Works once. Each refresh returns the next refresh token. */
            readonly refresh_token: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
            /** @description Seconds. */
            readonly expires_in: number;
            /** @description Seconds. */
            readonly refresh_expires_in: number;
            readonly developer: components["schemas"]["Developer"];
            /** @description Whether this login created the account. */
            readonly created: boolean;
            /** @description Whether this login linked the identity to an account that existed before. */
            readonly linked: boolean;
        };
        readonly IdentityMfaRequired: {
            /** @enum {boolean} */
            readonly mfa_required: true;
            /** @description For POST /developers/login/totp. Valid for five minutes and five attempts. */
            readonly mfa_token: string;
            readonly methods: readonly ("totp" | "recovery_code")[];
            /** @description Whether this login created the account. */
            readonly created: boolean;
            /** @description Whether this login linked the identity to an account that existed before. */
            readonly linked: boolean;
        };
        readonly Identity: {
            /** @enum {string} */
            readonly object: "identity";
            /** @enum {string} */
            readonly provider: "github" | "google";
            /** @description The address at the provider, as of the last login. */
            readonly email: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly linked_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly last_used_at: string;
        };
        readonly ReplacedApiKey: {
            readonly key_id: string;
            /** @enum {string} */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            readonly grace_expires_at: string | null;
        };
        readonly ReplacedAccountPair: {
            readonly key_id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly revoked_at: string;
        };
        /** Session */
        readonly Session: {
            readonly access_token: string;
            /** @description Works once. Each refresh returns the next refresh token. */
            readonly refresh_token: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
            /** @description Seconds. */
            readonly expires_in: number;
            /** @description Seconds. */
            readonly refresh_expires_in: number;
            readonly developer: components["schemas"]["Developer"];
        };
        readonly MfaRequired: {
            /** @enum {boolean} */
            readonly mfa_required: true;
            /** @description For POST /developers/login/totp. Valid for five minutes and five attempts. */
            readonly mfa_token: string;
            readonly methods: readonly ("totp" | "recovery_code")[];
        };
        readonly DashboardSession: {
            /** @enum {string} */
            readonly object: "session";
            readonly session_id: string;
            /** @description Whether this call uses the session. */
            readonly current: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly last_used_at: string;
            readonly ip: string | null;
            readonly user_agent: string | null;
        };
        readonly ProviderKeyStatus: components["schemas"]["ProviderKeys"] | components["schemas"]["NoProviderKeys"];
        /** ProviderKeys */
        readonly ProviderKeys: {
            /** @enum {string} */
            readonly provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            /** @enum {string} */
            readonly kind: "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            /** @enum {boolean} */
            readonly configured: true;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly label: string | null;
            /** @description The names of the fields. Values are never returned. */
            readonly fields_configured: readonly string[];
            /** @description The number of changes of this provider's keys. */
            readonly version: number;
            readonly verification: components["schemas"]["ProviderKeyVerification"];
            readonly expires_at: string | null;
            readonly last_used_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly updated_by: string;
            /** @description The newest hash of the provider keys' audit chain. Store it to prove later that the chain was not rewritten. */
            readonly audit_head: string;
        };
        readonly ProviderKeyVerification: {
            /** @enum {string} */
            readonly status: "verified" | "failed" | "unverified" | "unreachable";
            readonly checked_at: string | null;
            readonly detail: string | null;
        };
        readonly NoProviderKeys: {
            /** @enum {string} */
            readonly provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            /** @enum {string} */
            readonly kind: "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            /** @enum {boolean} */
            readonly configured: false;
        };
        readonly AuditChainBreak: {
            readonly sequence: number;
            /** @enum {string} */
            readonly reason: "hash_mismatch" | "prev_hash_mismatch" | "sequence_gap" | "missing_entry";
            readonly expected: string | null;
            readonly actual: string | null;
        };
        readonly AuditAnchorStatus: {
            /** @enum {string} */
            readonly status: "matched" | "mismatch" | "pending" | "unavailable";
            /** @enum {string} */
            readonly type: "signed_checkpoint";
            readonly anchored_sequence: number | null;
            readonly anchored_hash: string | null;
            readonly anchored_at: string | null;
            readonly reference: string | null;
            readonly unanchored_entries: number;
        };
        /** Project */
        readonly Project: {
            /** @enum {string} */
            readonly object: "project";
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly name: string;
            readonly slug: string;
            readonly description: string | null;
            /** @enum {string} */
            readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            /** @example 100.00 */
            readonly monthly_cap: string;
            /** @enum {string} */
            readonly currency: "usd";
            /**
             * @description What a charge over the cap does: it is refused, or it waits for an approval.
             * @enum {string}
             */
            readonly cap_behavior: "block" | "require_approval";
            readonly provider_caps: {
                readonly [key: string]: string;
            };
            readonly usage: {
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_start: string;
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_end: string;
                /** @example 100.00 */
                readonly spent: string;
                /** @example 100.00 */
                readonly reserved: string;
                /** @example 100.00 */
                readonly remaining: string;
            };
            readonly billing: {
                readonly customer_id: string | null;
                /** @enum {string} */
                readonly status: "none" | "requires_payment_method" | "requires_action" | "ready" | "past_due";
                readonly default_payment_method: components["schemas"]["PaymentMethod"] | null;
            };
            readonly environments: readonly string[];
            readonly links: readonly components["schemas"]["ProjectLink"][];
            readonly services: readonly components["schemas"]["ProjectService"][];
            readonly agent_ids: readonly string[];
            readonly policy_id: string | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly deleted_at: string | null;
        };
        readonly PaymentMethod: {
            readonly id: string;
            readonly type: string;
            readonly brand?: string;
            readonly last4?: string;
            readonly exp_month?: number;
            readonly exp_year?: number;
        };
        readonly ProjectLink: {
            readonly provider: string;
            /** @enum {string} */
            readonly status: "pending_auth" | "linked" | "failed" | "expired" | "revoked";
        };
        readonly ProjectService: {
            readonly service_id: string;
            readonly service: string;
            /** @enum {string} */
            readonly status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
        };
        readonly DeletionEffect: {
            readonly service_id: string;
            /** @enum {string} */
            readonly effect: "destroyed" | "detached" | "failed";
            readonly detail: string | null;
        };
        readonly Charge: {
            readonly charge_id: string;
            readonly service_id: string | null;
            readonly provider: string;
            /** @enum {string} */
            readonly type: "subscription" | "usage" | "one_time" | "refund" | "adjustment";
            readonly description: string;
            /** @example 100.00 */
            readonly amount: string;
            /** @enum {string} */
            readonly currency: "usd";
            /** @enum {string} */
            readonly status: "reserved" | "pending" | "succeeded" | "failed" | "released" | "refunded" | "disputed";
            readonly agent_id: string | null;
            readonly payment_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
        };
        readonly CatalogProvider: {
            readonly provider: string;
            readonly display_name: string;
            readonly categories: readonly string[];
            /** @enum {string} */
            readonly auth: "oauth" | "api_token" | "instant";
            readonly protocol: string;
            readonly terms: {
                readonly version: string;
                readonly url: string;
            };
            readonly regions: readonly string[];
            /** @enum {string} */
            readonly health: "ok" | "degraded" | "down";
            readonly services: readonly components["schemas"]["CatalogService"][];
        };
        readonly CatalogService: {
            readonly service: string;
            /** @enum {string} */
            readonly kind: "plan" | "deployable" | "addon";
            readonly description: string;
            readonly async: boolean;
            /** @enum {string} */
            readonly credential_type: "single" | "multiple";
            /** @enum {string} */
            readonly deprovision_effect: "destroy" | "detach";
            readonly config_schema: {
                readonly [key: string]: unknown;
            };
            readonly env_vars: readonly {
                readonly name: string;
                readonly sensitive: boolean;
            }[];
            readonly requires_plan: readonly string[];
            readonly plans: readonly components["schemas"]["CatalogPlan"][];
            readonly llm_context_url?: string;
            readonly docs_url?: string;
        };
        readonly CatalogPlan: {
            readonly plan: string;
            readonly pricing: {
                /** @enum {string} */
                readonly type: "free" | "paid" | "component" | "usage";
                readonly amount?: string;
                /** @enum {string} */
                readonly currency?: "usd";
                /** @enum {string} */
                readonly interval?: "month" | "year";
                readonly usage?: readonly {
                    readonly metric: string;
                    readonly unit_price: string;
                }[];
            };
            readonly limits?: {
                readonly [key: string]: number;
            };
            readonly payment_method_required: boolean;
            readonly preauthorization_amount?: string;
            readonly allowed_updates: readonly string[];
        };
        /**
         * Problem
         * @description An RFC 9457 problem.
         */
        readonly Problem: {
            readonly type: string;
            readonly title: string;
            readonly status: number;
            readonly detail: string;
            /** @description Stable. Branch on this, not on the words. */
            readonly code: string;
            readonly request_id: string;
            readonly retryable: boolean;
            readonly errors: readonly {
                readonly pointer: string;
                readonly code: string;
                readonly detail: string;
            }[];
        };
        readonly AuditEntry: {
            readonly audit_id: string;
            /** @enum {string} */
            readonly chain: "tenant" | "provider_keys";
            readonly tenant_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly sequence: number;
            readonly actor: components["schemas"]["AuditEntryActor"];
            /** @example provider_key.updated */
            readonly action: string;
            readonly subject: components["schemas"]["AuditEntrySubject"];
            readonly facts: {
                readonly [key: string]: unknown;
            };
            readonly request_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
            readonly prev_hash: string;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of all the other fields. */
            readonly hash: string;
        };
        readonly AuditEntryActor: {
            /** @enum {string} */
            readonly type: "developer" | "agent" | "admin" | "system";
            readonly id: string;
            readonly key_id: string | null;
            readonly ip: string | null;
        };
        readonly AuditEntrySubject: {
            readonly type: string;
            readonly id: string;
        };
        /** Link */
        readonly Link: {
            /** @enum {string} */
            readonly object: "link";
            readonly link_id: string;
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly provider: string;
            /** @enum {string} */
            readonly flow: "oauth" | "api_token" | "instant";
            /** @enum {string} */
            readonly status: "pending_auth" | "linked" | "failed" | "expired" | "revoked";
            readonly error: ("access_denied" | "exchange_failed" | "token_refused" | "provider_refused" | "provider_unavailable" | "other_account" | "project_not_active") | null;
            readonly url: string | null;
            readonly state: string | null;
            readonly expires_at: string | null;
            readonly poll_url: string;
            readonly next_action: {
                /** @enum {string} */
                readonly type: "open_url";
                /** @enum {string} */
                readonly actor: "human";
            } | null;
            readonly linked_at: string | null;
            readonly account_label: string | null;
            /** @description Those that were asked for. */
            readonly scopes: readonly string[];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
        };
        /** Service */
        readonly Service: {
            /** @enum {string} */
            readonly object: "service";
            readonly service_id: string;
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly link_id: string;
            readonly provider: string;
            /** @description As the catalog names it: `provider/slug`. */
            readonly service: string;
            readonly name: string;
            readonly plan: string;
            /** @enum {string} */
            readonly status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
            readonly region: string;
            readonly config: {
                readonly [key: string]: unknown;
            };
            readonly environments: readonly string[];
            readonly env_prefix: string | null;
            /** @description The names of its variables in the project's environments. Fixed when the service is added. */
            readonly env_names: readonly string[];
            readonly credential: {
                /** @description 0 until there is one. */
                readonly version: number;
                /** @enum {string} */
                readonly type: "single" | "multiple";
                readonly rotated_at: string | null;
                readonly previous_valid_until: string | null;
                readonly expires_at: string | null;
            };
            readonly pricing: {
                /** @enum {string} */
                readonly type: "free" | "paid" | "component" | "usage";
                /** @example 100.00 */
                readonly amount?: string;
                /** @enum {string} */
                readonly currency?: "usd";
                /** @enum {string} */
                readonly interval?: "month" | "year";
            };
            readonly allowed_updates: readonly string[];
            /** @enum {string} */
            readonly deprovision_effect: "destroy" | "detach";
            readonly provider_resource_id: string | null;
            readonly dashboard_url_available: boolean;
            readonly notification: {
                readonly level: string;
                readonly title: string;
                readonly href: string;
            } | null;
            readonly agent_id: string | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly removed_at: string | null;
        };
        /** Operation */
        readonly Operation: {
            /** @enum {string} */
            readonly object: "operation";
            readonly operation_id: string;
            readonly project_id: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @enum {string} */
            readonly type: "service.add" | "service.remove" | "project.delete";
            /** @enum {string} */
            readonly status: "running" | "requires_approval" | "succeeded" | "failed" | "compensated" | "needs_operator";
            /** @description The object that the operation changes, for example a project or a service. */
            readonly subject: {
                readonly type: string;
                readonly id: string;
            };
            readonly service_id: string | null;
            readonly steps: readonly {
                readonly name: string;
                /** @enum {string} */
                readonly status: "pending" | "running" | "succeeded" | "failed" | "compensated" | "skipped";
                readonly at: string | null;
            }[];
            readonly error: components["schemas"]["Problem"] | null;
            readonly expected_callback_seconds: number | null;
            readonly poll_url: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
        };
        /** Variable */
        readonly Variable: {
            /** @enum {string} */
            readonly object: "variable";
            readonly name: string;
            /** @description Those in which it has a value. */
            readonly environments: readonly string[];
            readonly sensitive: boolean;
            /** @description Counts the settings of this name. */
            readonly version: number;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
        };
        readonly AuditCheckpoint: {
            /** @enum {string} */
            readonly object: "audit_checkpoint";
            readonly tenant_id: string;
            /** @enum {string} */
            readonly chain: "tenant" | "provider_keys";
            /** @description The number of entries that the chain had. */
            readonly sequence: number;
            readonly head_hash: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly time: string;
            readonly prev_checkpoint_hash: string;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of tenant_id, chain, sequence, head_hash, time and prev_checkpoint_hash. */
            readonly checkpoint_hash: string;
            /** @description The id of the key in `/.well-known/jwks.json`. */
            readonly key_id: string;
            /** @description Ed25519 over the text of `checkpoint_hash`, base64url. */
            readonly signature: string;
            readonly anchored_at: string | null;
            readonly reference: string | null;
        };
        readonly Limit: {
            /** @enum {string} */
            readonly name: "requests";
            /** @enum {string} */
            readonly scope: "key";
            /** @description Requests. */
            readonly limit: number;
            /** @description Requests. */
            readonly remaining: number;
            /** @description The time until the bucket is full, in seconds. */
            readonly reset_seconds: number;
            /**
             * @description The size of the bucket, and the seconds in which an empty one fills.
             * @example 1000;w=10
             */
            readonly policy: string;
        };
        readonly ListedDeveloper: {
            /** @enum {string} */
            readonly object: "developer";
            readonly developer_id: string;
            readonly email: string;
            readonly name: string | null;
            readonly company_name: string | null;
            readonly country: string | null;
            /** @enum {string} */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            readonly kyb: components["schemas"]["KybStatus"];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly PendingKybDecision: {
            /** @enum {string} */
            readonly status: "verified" | "rejected" | "revoked";
            readonly legal_name: string | null;
            readonly registration_number: string | null;
            readonly jurisdiction: string | null;
            readonly reference: string | null;
            readonly note: string | null;
            readonly expires_at: string | null;
            readonly proposed_by: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly proposed_at: string;
        };
        /** UpdateDashboardProfileRequest */
        readonly UpdateDashboardProfileRequest: {
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly name?: string | null;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly company_name?: string | null;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly website?: string | null;
            /**
             * @description Two capital letters, as in ISO 3166-1 alpha-2.
             * @example US
             */
            readonly country?: string | null;
            /** @example Europe/Berlin */
            readonly timezone?: string | null;
            /**
             * Format: email
             * @description An email address. Kept in lower case.
             * @example ada@example.com
             */
            readonly billing_email?: string | null;
            readonly notification_preferences?: {
                readonly approvals?: boolean | null;
                readonly caps?: boolean | null;
                readonly security?: boolean | null;
                readonly product?: boolean | null;
            } | null;
        };
        /** DeveloperRegisterRequest */
        readonly DeveloperRegisterRequest: {
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly company_name?: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly key_name?: string;
            /** @enum {string} */
            readonly mode?: "live" | "test";
            /** @enum {string} */
            readonly signature_alg?: "hmac-sha256" | "ed25519";
            /** @description Ed25519, 32 bytes as base64url. */
            readonly public_key?: string;
            /** @description Base64url of the key's signature over `svc-ed25519-pop-v1\n<developer_id>\n<public_key>`. */
            readonly proof?: string;
        };
        /** RegisteredDeveloper */
        readonly RegisteredDeveloper: {
            readonly developer: components["schemas"]["Developer"];
            readonly key: components["schemas"]["ApiKey"];
            /** @description Shown once. */
            readonly api_key: string;
            readonly api_secret: string | null;
            readonly warning: string;
        };
        /** SignupRequest */
        readonly SignupRequest: {
            /**
             * Format: email
             * @description An email address. Kept in lower case.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description Text without NUL characters. Compared after Unicode NFC. */
            readonly password: string;
            readonly captcha_token: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly name?: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly company_name?: string;
            /**
             * @description Two capital letters, as in ISO 3166-1 alpha-2.
             * @example US
             */
            readonly country?: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly accept_terms_version?: string;
        };
        /** Signup */
        readonly Signup: {
            /** @enum {string} */
            readonly status: "verification_sent";
            readonly email: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly verification_expires_at: string;
        };
        /** Captcha */
        readonly Captcha: {
            readonly [key: string]: unknown;
        };
        /** AuthFailureList */
        readonly AuthFailureList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AuthFailure"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** DeviceAuthorizationRequest */
        readonly DeviceAuthorizationRequest: {
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly client_name?: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly client_id?: string;
            /** @description Scopes of the key, between blanks. Not given: those of a key by default. */
            readonly scope?: string;
        };
        /** DeviceAuthorization */
        readonly DeviceAuthorization: {
            readonly device_code: string;
            /** @example BCDF-GHJK */
            readonly user_code: string;
            readonly verification_uri: string;
            readonly verification_uri_complete: string;
            /** @description Seconds. */
            readonly expires_in: number;
            /** @description The least time between two polls, in seconds. */
            readonly interval: number;
        };
        /** DeviceTokenRequest */
        readonly DeviceTokenRequest: {
            /** @enum {string} */
            readonly grant_type: "urn:ietf:params:oauth:grant-type:device_code";
            readonly device_code: string;
            /** @description Ignored. */
            readonly client_id?: string;
        };
        /** DeviceToken */
        readonly DeviceToken: {
            readonly developer_id: string;
            /** @description Shown once. */
            readonly api_key: string;
            readonly api_secret: string | null;
            readonly key: components["schemas"]["ApiKey"];
        };
        /** DeviceApprovalRequest */
        readonly DeviceApprovalRequest: {
            /** @example BCDF-GHJK */
            readonly user_code: string;
            /**
             * @description False: refuse it.
             * @default true
             */
            readonly approve?: boolean;
            /** @description Instead of a login of the last 15 minutes. */
            readonly password?: string;
            /**
             * @description Instead of a login of the last 15 minutes.
             * @example 123456
             */
            readonly totp_code?: string;
        };
        /** DeviceLogin */
        readonly DeviceLogin: {
            /** @enum {string} */
            readonly object: "device_login";
            /** @enum {string} */
            readonly status: "approved" | "denied";
            readonly client_name: string;
            readonly key: components["schemas"]["ApiKey"] | null;
        };
        /** ResendVerificationRequest */
        readonly ResendVerificationRequest: {
            /**
             * Format: email
             * @description An email address. Kept in lower case.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description Not asked for: the limit below holds. */
            readonly captcha_token?: string;
        };
        /** ResentVerification */
        readonly ResentVerification: {
            /** @enum {string} */
            readonly status: "accepted";
        };
        /** VerifiedEmail */
        readonly VerifiedEmail: {
            /** @enum {string} */
            readonly status: "verified";
            /** @enum {string} */
            readonly redirect_url: "/login?verified=1";
        };
        /** GitHubOAuthRequest */
        readonly GitHubOAuthRequest: {
            readonly code: string;
            /** @description As /developers/oauth/github/state gave it. The call needs its cookie too. */
            readonly state: string;
            /** @description Where given, the one address that is ours. */
            readonly redirect_uri?: string;
            /** @description The service keeps the verifier: where one is given, it must be that. */
            readonly code_verifier?: string;
        };
        /** IdentityLoginResult */
        readonly IdentityLoginResult: components["schemas"]["IdentitySession"] | components["schemas"]["IdentityMfaRequired"];
        /** GitHubAuthorization */
        readonly GitHubAuthorization: {
            readonly state: string;
            /** @description The URL to send the browser to. */
            readonly authorization_url: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
        };
        /** GoogleOAuthRequest */
        readonly GoogleOAuthRequest: {
            /** @description Google's ID token for this service's client id, a JWT. */
            readonly id_token: string;
            /** @description Where given, the token must hold it. */
            readonly nonce?: string;
        };
        /** IdentityList */
        readonly IdentityList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Identity"][];
            /** @enum {boolean} */
            readonly has_more: false;
        };
        /** LoginProofRequest */
        readonly LoginProofRequest: {
            /** @description Instead of a login of the last 15 minutes. */
            readonly password?: string;
            /**
             * @description Instead of a login of the last 15 minutes.
             * @example 123456
             */
            readonly totp_code?: string;
        };
        /** ApiKeyList */
        readonly ApiKeyList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["ApiKey"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** CreateApiKeyRequest */
        readonly CreateApiKeyRequest: {
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly name: string;
            /**
             * @description The caller's, unless it is said.
             * @enum {string}
             */
            readonly mode?: "live" | "test";
            /** @enum {string} */
            readonly signature_alg?: "hmac-sha256" | "ed25519";
            /** @description Ed25519, 32 bytes as base64url. */
            readonly public_key?: string;
            /** @description Base64url of the key's signature over `svc-ed25519-pop-v1\n<developer_id>\n<public_key>`. */
            readonly proof?: string;
            /** @description Not given: all of the caller's but approvals:write and, for a test key, audit:read. */
            readonly scopes?: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            /** @description Agents that the key is bound to. UUIDs. */
            readonly agent_ids?: readonly string[];
            /** @description Projects that the key is bound to, of its own mode. */
            readonly project_ids?: readonly string[];
            /** @description Networks in CIDR form, IPv4 or IPv6, that requests must come from. */
            readonly ip_allowlist?: readonly string[];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string | null;
            readonly rate_limit_per_minute?: number | null;
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        /** IssuedApiKey */
        readonly IssuedApiKey: {
            /** @enum {string} */
            readonly object: "api_key";
            readonly key_id: string;
            readonly name: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly key_prefix: string;
            readonly key_hint: string;
            /** @enum {string} */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /** @enum {string} */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            readonly scopes: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            readonly agent_ids: readonly string[];
            readonly project_ids: readonly string[];
            readonly ip_allowlist: readonly string[];
            readonly rate_limit_per_minute: number | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly created_by: string;
            readonly expires_at: string | null;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly rotated_from: string | null;
            readonly replaced_by: string | null;
            readonly grace_expires_at: string | null;
            readonly revoked_at: string | null;
            readonly revoke_reason: string | null;
            /** @description Shown once. */
            readonly api_key: string;
            readonly api_secret: string | null;
        };
        /** RevokedApiKey */
        readonly RevokedApiKey: {
            /** @enum {string} */
            readonly object: "api_key";
            readonly key_id: string;
            readonly name: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly key_prefix: string;
            readonly key_hint: string;
            /** @enum {string} */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /** @enum {string} */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            readonly scopes: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            readonly agent_ids: readonly string[];
            readonly project_ids: readonly string[];
            readonly ip_allowlist: readonly string[];
            readonly rate_limit_per_minute: number | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly created_by: string;
            readonly expires_at: string | null;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly rotated_from: string | null;
            readonly replaced_by: string | null;
            readonly grace_expires_at: string | null;
            readonly revoked_at: string | null;
            readonly revoke_reason: string | null;
            readonly warnings?: readonly "last_live_key"[];
        };
        /** RotateApiKeyRequest */
        readonly RotateApiKeyRequest: {
            /**
             * @description How long the old key still works. 0: it does not.
             * @default 86400
             */
            readonly grace_period_seconds?: number;
            /**
             * @description A compromised key has no grace, whatever is asked for.
             * @default scheduled
             * @enum {string}
             */
            readonly reason?: "scheduled" | "compromised" | "personnel";
            /** @description Ed25519, 32 bytes as base64url. */
            readonly public_key?: string;
            /** @description Base64url of the key's signature over `svc-ed25519-pop-v1\n<developer_id>\n<public_key>`. */
            readonly proof?: string;
        };
        /** RotatedApiKey */
        readonly RotatedApiKey: {
            readonly key: components["schemas"]["ApiKey"];
            /** @description Shown once. */
            readonly api_key: string;
            readonly api_secret: string | null;
            readonly previous_key: components["schemas"]["ReplacedApiKey"];
        };
        /** RotatedAccountPair */
        readonly RotatedAccountPair: {
            /** @description Shown once. */
            readonly api_key: string;
            readonly api_secret: string | null;
            readonly key: components["schemas"]["ApiKey"];
            readonly previous_key: components["schemas"]["ReplacedAccountPair"] | null;
        };
        /** TestSignatureRequest */
        readonly TestSignatureRequest: {
            /**
             * @description An HTTP method.
             * @example POST
             */
            readonly method: string;
            /**
             * @description In full, with its query where it has one: printable ASCII after a slash.
             * @example /api/v1/svc/projects
             */
            readonly path: string;
            /** @description Ten digits, as in X-Timestamp. */
            readonly timestamp: string;
            /** @description 16 to 128 printable ASCII characters. Needed for an Ed25519 key, which signs it. */
            readonly nonce?: string;
            /**
             * @description The body's own text.
             * @default
             */
            readonly body?: string;
            /** Format: uuid */
            readonly agent_id?: string;
            /** Format: uuid */
            readonly idempotency_key?: string;
        };
        /** TestSignature */
        readonly TestSignature: {
            /** @enum {string} */
            readonly object: "test_signature";
            readonly key_id: string;
            /** @enum {string} */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /** @description The text that is signed. */
            readonly canonical: string;
            /** @description Other texts whose signature is accepted. */
            readonly also_accepted: readonly string[];
            readonly body_hash: string;
            /** @description How far the timestamp is ahead of the server's clock. At most 30 seconds are accepted, either way. */
            readonly skew_seconds: number;
        };
        /** DeveloperKybVerifyRequest */
        readonly DeveloperKybVerifyRequest: {
            readonly developer_id: string;
            /** @enum {string} */
            readonly status: "verified" | "rejected" | "revoked";
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly legal_name?: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly registration_number?: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly jurisdiction?: string;
            /**
             * Format: not-blank
             * @description Text without line breaks, tabs and other control characters.
             */
            readonly reference?: string;
            /** @description Text without NUL characters. */
            readonly note?: string;
            /**
             * Format: date-time
             * @description When a verification is over. Lies ahead.
             */
            readonly expires_at?: string;
        };
        /** KybVerification */
        readonly KybVerification: {
            /** @enum {string} */
            readonly object: "developer";
            readonly developer_id: string;
            readonly email: string;
            readonly name: string | null;
            readonly company_name: string | null;
            readonly website: string | null;
            readonly country: string | null;
            readonly timezone: string;
            readonly billing_email: string | null;
            readonly notification_preferences: {
                readonly [key: string]: boolean;
            };
            /** @enum {string} */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            readonly kyb: components["schemas"]["KybStatus"];
            readonly mfa_enabled: boolean;
            readonly auth_methods: readonly ("password" | "github" | "google")[];
            readonly live_access: boolean;
            readonly capabilities: components["schemas"]["DeveloperCapabilities"];
            readonly requirements: {
                readonly [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            readonly limits: {
                readonly agents: number | null;
                readonly projects: number | null;
            };
            readonly default_policy_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly audit_id: string;
        };
        /** PasswordForgotRequest */
        readonly PasswordForgotRequest: {
            /**
             * Format: email
             * @description An email address. Kept in lower case.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description Not asked for: the limits below hold. */
            readonly captcha_token?: string;
        };
        /** RequestedPasswordReset */
        readonly RequestedPasswordReset: {
            /** @enum {string} */
            readonly status: "accepted";
        };
        /** PasswordResetRequest */
        readonly PasswordResetRequest: {
            readonly token: string;
            /** @description Text without NUL characters. Compared after Unicode NFC. */
            readonly password: string;
            /**
             * @description Keeps the API keys of an account that is not proven.
             * @default false
             */
            readonly keep_keys?: boolean;
            /**
             * @description Revokes the API keys of an account that is proven.
             * @default false
             */
            readonly revoke_keys?: boolean;
        };
        /** PasswordReset */
        readonly PasswordReset: {
            /** @enum {string} */
            readonly status: "password_reset";
        };
        /** SecondFactorLoginRequest */
        readonly SecondFactorLoginRequest: {
            readonly mfa_token: string;
            /** @description Six digits of the device, or a recovery code. */
            readonly code: string;
        };
        /** TotpEnrollment */
        readonly TotpEnrollment: {
            /** @description Base 32. SHA-1, six digits, 30 seconds. */
            readonly secret: string;
            /** @description The secret as the URL of a QR code. */
            readonly otpauth_url: string;
        };
        /** TotpConfirmRequest */
        readonly TotpConfirmRequest: {
            /**
             * @description Six digits, as the device shows them.
             * @example 123456
             */
            readonly code: string;
            /** @description Instead of a login of the last 15 minutes. */
            readonly password?: string;
            /**
             * @description Instead of a login of the last 15 minutes.
             * @example 123456
             */
            readonly totp_code?: string;
        };
        /** RecoveryCodes */
        readonly RecoveryCodes: {
            readonly recovery_codes: readonly string[];
        };
        /** TotpDisableRequest */
        readonly TotpDisableRequest: {
            /** @description Six digits of the device, or a recovery code. */
            readonly code: string;
        };
        /** DeveloperLoginRequest */
        readonly DeveloperLoginRequest: {
            /**
             * Format: email
             * @description An email address. Kept in lower case.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description Text without NUL characters. Compared after Unicode NFC. */
            readonly password: string;
            /** @description Needed after five failures for this address from one network. */
            readonly captcha_token?: string;
            /** @description Six digits. For accounts with a second factor; the others need none. */
            readonly totp_code?: string;
        };
        /** LoginResult */
        readonly LoginResult: components["schemas"]["Session"] | components["schemas"]["MfaRequired"];
        /** DashboardSessionList */
        readonly DashboardSessionList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["DashboardSession"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** ProviderKeysList */
        readonly ProviderKeysList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["ProviderKeyStatus"][];
            /** @enum {boolean} */
            readonly has_more: false;
        };
        /** ProviderKeyRequest */
        readonly ProviderKeyRequest: {
            /** @description pimlico: api_key, optional sponsorship_policy_id, chains. turnkey: organization_id, api_public_key, api_private_key, optional base_url. fireblocks: api_key, api_secret_pem, optional vault_account_id, base_url. bridge: api_key, optional webhook_public_key, environment. helius: api_key, optional rpc_url. Each value takes at most 8 KiB; addresses are the vendor's own. */
            readonly credentials: {
                /** @description Text without line breaks, tabs and other control characters. */
                readonly api_key?: string;
                /** @description Text without line breaks, tabs and other control characters. */
                readonly api_public_key?: string;
                /** @description Text without line breaks, tabs and other control characters. */
                readonly api_private_key?: string;
                /** @description Text without NUL characters. */
                readonly api_secret_pem?: string;
                /** @description Text without line breaks, tabs and other control characters. */
                readonly organization_id?: string;
                /** @description Text without line breaks, tabs and other control characters. */
                readonly vault_account_id?: string;
                /** @description Text without line breaks, tabs and other control characters. */
                readonly sponsorship_policy_id?: string;
                readonly chains?: readonly string[];
                /** @description Text without NUL characters. */
                readonly webhook_public_key?: string;
                /** @enum {string} */
                readonly environment?: "production" | "sandbox";
                /** @description Text without line breaks, tabs and other control characters. */
                readonly base_url?: string;
                /** @description Text without line breaks, tabs and other control characters. */
                readonly rpc_url?: string;
            };
            /**
             * @description Where sent, the caller's own.
             * @enum {string}
             */
            readonly mode?: "live" | "test";
            /** @description Text without NUL characters. */
            readonly label?: string | null;
            /**
             * @description Whether to ask the vendor if the keys work, by one call that changes nothing.
             * @default report
             * @enum {string}
             */
            readonly verify?: "report" | "required" | "skip";
            /**
             * Format: date-time
             * @description When the vendor ends them: their owner is reminded 14, 7 and 1 day before.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string | null;
            /** @description The version that is to be replaced; 0 where none may be configured. Another is 409. */
            readonly expected_version?: number;
        };
        /** RemovedProviderKeys */
        readonly RemovedProviderKeys: {
            /** @enum {string} */
            readonly provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            /** @enum {boolean} */
            readonly configured: false;
            readonly deleted_at: string | null;
            readonly audit_id: string | null;
        };
        /** AuditVerification */
        readonly AuditVerification: {
            readonly valid: boolean | null;
            /** @enum {string} */
            readonly chain: "tenant" | "provider_keys";
            readonly entries_checked: number;
            readonly first_sequence: number | null;
            readonly last_sequence: number | null;
            readonly genesis_hash: string;
            readonly head_hash: string;
            readonly broken_at: components["schemas"]["AuditChainBreak"] | null;
            readonly anchor: components["schemas"]["AuditAnchorStatus"];
            readonly truncation_detected: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly checked_at: string;
        };
        /** ProjectList */
        readonly ProjectList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Project"][];
            readonly page: number;
            readonly per_page: number;
            readonly has_more: boolean;
        };
        /** ProjectCreateRequest */
        readonly ProjectCreateRequest: {
            /**
             * Format: visible
             * @description 1 to 100 characters on one line, without space at either end. Unique per tenant and mode, whatever the case.
             * @example My App
             */
            readonly name: string;
            /** @description Text without NUL characters. */
            readonly description?: string | null;
            /**
             * Format: decimal
             * @description An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.
             * @default 100.00
             * @example 100.00
             */
            readonly monthly_cap?: string | number;
            /** @enum {string} */
            readonly currency?: "usd";
            /**
             * @description What a charge over the cap does: it is refused, or it waits for an approval.
             * @enum {string}
             */
            readonly cap_behavior?: "block" | "require_approval";
            readonly provider_caps?: {
                /**
                 * Format: decimal
                 * @description An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.
                 * @example 100.00
                 */
                readonly neon?: string | number;
                /**
                 * Format: decimal
                 * @description An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.
                 * @example 100.00
                 */
                readonly supabase?: string | number;
            };
            /**
             * @default [
             *       "development",
             *       "production"
             *     ]
             */
            readonly environments?: readonly string[];
            /** @description Agents whose keys reach the project. UUIDs. */
            readonly agent_ids?: readonly string[];
            readonly policy_id?: string | null;
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        /** ProjectDeletion */
        readonly ProjectDeletion: {
            readonly project_id: string;
            /** @enum {string} */
            readonly status: "deleting" | "deleted";
            readonly services: readonly components["schemas"]["DeletionEffect"][];
        };
        /** ProjectUpdateRequest */
        readonly ProjectUpdateRequest: {
            /**
             * Format: visible
             * @description 1 to 100 characters on one line, without space at either end. Unique per tenant and mode, whatever the case.
             * @example My App
             */
            readonly name?: string;
            /** @description Text without NUL characters. */
            readonly description?: string | null;
            /**
             * Format: decimal
             * @description An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.
             * @example 100.00
             */
            readonly monthly_cap?: string | number;
            /**
             * @description What a charge over the cap does: it is refused, or it waits for an approval.
             * @enum {string}
             */
            readonly cap_behavior?: "block" | "require_approval";
            readonly provider_caps?: {
                /**
                 * Format: decimal
                 * @description An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.
                 * @example 100.00
                 */
                readonly neon?: string | number | null;
                /**
                 * Format: decimal
                 * @description An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.
                 * @example 100.00
                 */
                readonly supabase?: string | number | null;
            } | null;
            /** @description Agents whose keys reach the project. UUIDs. */
            readonly agent_ids?: readonly string[] | null;
            readonly policy_id?: string | null;
            readonly metadata?: {
                readonly [key: string]: string | null;
            } | null;
        };
        /** EnvBundle */
        readonly EnvBundle: {
            /** @enum {string} */
            readonly object: "env_bundle";
            readonly project_id: string;
            readonly environment: string;
            readonly version: number;
            readonly env: {
                readonly [key: string]: string;
            } | null;
            readonly variables: readonly {
                readonly name: string;
                /** @enum {string} */
                readonly source: "project" | "service";
                readonly service_id?: string;
                readonly credential_version?: number;
                readonly sensitive: boolean;
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly updated_at: string;
            }[];
            readonly fingerprint: string;
            /** @enum {string} */
            readonly fingerprint_alg: "sha256";
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly pulled_at: string;
            readonly audit_id: string;
            readonly warnings: readonly string[];
        };
        /** ProjectStatus */
        readonly ProjectStatus: {
            readonly project_id: string;
            /** @enum {string} */
            readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            readonly cap: {
                /** @example 100.00 */
                readonly monthly_cap: string;
                /** @enum {string} */
                readonly currency: "usd";
                /** @example 100.00 */
                readonly spent: string;
                /** @example 100.00 */
                readonly reserved: string;
                /** @example 100.00 */
                readonly remaining: string;
                /** @description Of spent and reserved, cut to one decimal. */
                readonly percent_used: number;
                /**
                 * @description What a charge over the cap does: it is refused, or it waits for an approval.
                 * @enum {string}
                 */
                readonly behavior: "block" | "require_approval";
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_start: string;
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_end: string;
                /** @example 100.00 */
                readonly forecast: string;
            };
            readonly by_provider: readonly {
                readonly provider: string;
                readonly cap: string | null;
                /** @example 100.00 */
                readonly spent: string;
            }[];
            readonly recent_charges: readonly components["schemas"]["Charge"][];
            readonly services: readonly components["schemas"]["ProjectService"][];
            readonly links: readonly components["schemas"]["ProjectLink"][];
            readonly pending_actions: readonly {
                /** @enum {string} */
                readonly type: "open_url" | "attach_payment_method" | "confirm_payment_method";
                readonly reason: string;
                readonly provider?: string;
                /** @description The link, which tells the address to open to callers that may link. */
                readonly poll_url?: string;
            }[];
            readonly warnings: readonly ("cap_reached" | "cap_nearly_reached" | "forecast_over_cap")[];
            /** @description Commands of the `purser` tool. */
            readonly next_steps: readonly string[];
        };
        /** Catalog */
        readonly Catalog: {
            /** @enum {string} */
            readonly object: "list";
            readonly catalog_version: string;
            readonly data: readonly components["schemas"]["CatalogProvider"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** ProjectDeletionPreview */
        readonly ProjectDeletionPreview: {
            /** @enum {string} */
            readonly object: "project_deletion_preview";
            readonly project_id: string;
            readonly name: string;
            readonly services: readonly components["schemas"]["DeletionEffect"][];
            /** @description Number of variables that the deletion destroys. */
            readonly variables: number;
        };
        /** AuditEntryList */
        readonly AuditEntryList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AuditEntry"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** PaymentMethodAttachRequest */
        readonly PaymentMethodAttachRequest: {
            /** @description The payment processor's id of it, which begins with pm_. Cards never pass through this service. */
            readonly payment_method_id: string;
            /**
             * @description Whether the project's charges go to it.
             * @default true
             */
            readonly set_default?: boolean;
            /** @description Where the owner comes back to, where their bank wants to see them: https, or http on loopback. Without it no bank's page is used. */
            readonly return_url?: string;
        };
        /** PaymentMethodAttachment */
        readonly PaymentMethodAttachment: {
            readonly customer_id: string;
            readonly payment_method: components["schemas"]["PaymentMethod"];
            readonly setup_intent: {
                readonly id: string;
                /** @enum {string} */
                readonly status: "succeeded" | "requires_action" | "processing" | "requires_payment_method";
                readonly client_secret: string | null;
                readonly next_action: {
                    /** @enum {string} */
                    readonly type: "open_url" | "use_client_secret";
                    /** @enum {string} */
                    readonly actor: "human";
                    readonly url?: string;
                } | null;
            };
        };
        /** LinkProviderRequest */
        readonly LinkProviderRequest: {
            /** @enum {string} */
            readonly provider: "neon" | "supabase";
            /**
             * @description `new_account` only where the provider makes accounts at once.
             * @default auto
             * @enum {string}
             */
            readonly mode?: "auto" | "existing_account" | "new_account";
            /** @description Noted on the link. What a provider grants is settled by the app it knows. */
            readonly scopes?: readonly string[];
            /** @description One of the provider's in the catalog. */
            readonly region?: string;
            /** @description Where a browser is sent once the link is complete, with `link_id` and `status`: an address of this service, or http on loopback. */
            readonly redirect_uri?: string;
            readonly accept_terms_version?: string;
            /**
             * @description Begins anew where it is linked already.
             * @default false
             */
            readonly force?: boolean;
        };
        /** SettledLink */
        readonly SettledLink: {
            readonly link_id: string;
            readonly provider: string;
            /** @enum {string} */
            readonly status: "linked" | "failed";
            readonly error: ("access_denied" | "exchange_failed" | "token_refused" | "provider_refused" | "provider_unavailable" | "other_account" | "project_not_active") | null;
        };
        /** LinkList */
        readonly LinkList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Link"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** AddServiceRequest */
        readonly AddServiceRequest: {
            /** @description provider/slug, as the catalog names it */
            readonly service?: string;
            readonly provider?: string;
            readonly service_slug?: string;
            /** @description 1 to 63 letters, digits, dots, underscores and hyphens, with a letter or digit first. */
            readonly name?: string;
            readonly plan?: string;
            readonly config?: {
                readonly [key: string]: unknown;
            };
            readonly region?: string;
            readonly environments?: readonly string[];
            /** @description 1 to 32 capital letters, digits and underscores, with no digit first. */
            readonly env_prefix?: string;
            /**
             * Format: decimal
             * @description An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.
             * @example 100.00
             */
            readonly max_monthly_cost?: string | number;
            readonly accept_terms_version?: string;
            /** @description The provider's own id: letters, digits, underscores and hyphens. */
            readonly existing_resource_id?: string;
            /** Format: uuid */
            readonly agent_id?: string;
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        /** ServiceAddition */
        readonly ServiceAddition: {
            readonly service: components["schemas"]["Service"];
            readonly operation: components["schemas"]["Operation"];
            readonly env: {
                readonly [key: string]: string;
            } | null;
            readonly env_names: readonly string[];
            readonly fingerprint: string | null;
            readonly expected_callback_seconds: number | null;
            readonly poll_url: string | null;
        };
        /** ServiceList */
        readonly ServiceList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Service"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** ServiceRemoval */
        readonly ServiceRemoval: {
            /** @enum {string} */
            readonly object: "service";
            readonly service_id: string;
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly link_id: string;
            readonly provider: string;
            /** @description As the catalog names it: `provider/slug`. */
            readonly service: string;
            readonly name: string;
            readonly plan: string;
            /** @enum {string} */
            readonly status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
            readonly region: string;
            readonly config: {
                readonly [key: string]: unknown;
            };
            readonly environments: readonly string[];
            readonly env_prefix: string | null;
            /** @description The names of its variables in the project's environments. Fixed when the service is added. */
            readonly env_names: readonly string[];
            readonly credential: {
                /** @description 0 until there is one. */
                readonly version: number;
                /** @enum {string} */
                readonly type: "single" | "multiple";
                readonly rotated_at: string | null;
                readonly previous_valid_until: string | null;
                readonly expires_at: string | null;
            };
            readonly pricing: {
                /** @enum {string} */
                readonly type: "free" | "paid" | "component" | "usage";
                /** @example 100.00 */
                readonly amount?: string;
                /** @enum {string} */
                readonly currency?: "usd";
                /** @enum {string} */
                readonly interval?: "month" | "year";
            };
            readonly allowed_updates: readonly string[];
            /** @enum {string} */
            readonly deprovision_effect: "destroy" | "detach";
            readonly provider_resource_id: string | null;
            readonly dashboard_url_available: boolean;
            readonly notification: {
                readonly level: string;
                readonly title: string;
                readonly href: string;
            } | null;
            readonly agent_id: string | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly removed_at: string | null;
            /** @enum {string} */
            readonly effect: "destroyed" | "detached";
            readonly operation: components["schemas"]["Operation"];
            readonly poll_url: string | null;
        };
        /** VariableList */
        readonly VariableList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Variable"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** VariableSetRequest */
        readonly VariableSetRequest: {
            /** @description At most 32 KiB of UTF-8, without NUL. */
            readonly value: string;
            /** @description Those to set it in. Default: all of the project's. */
            readonly environments?: readonly string[];
            /**
             * @description Whether tools should mask it where they show it.
             * @default true
             */
            readonly sensitive?: boolean;
        };
        /** DeletedVariable */
        readonly DeletedVariable: {
            /** @enum {string} */
            readonly object: "variable";
            readonly name: string;
            readonly environments: readonly string[];
            /** @enum {boolean} */
            readonly deleted: true;
        };
        /** AuditCheckpointList */
        readonly AuditCheckpointList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AuditCheckpoint"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** ServerTime */
        readonly ServerTime: {
            /** @description Seconds since 1970-01-01T00:00:00Z. */
            readonly unix: number;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly iso: string;
        };
        /** LimitList */
        readonly LimitList: {
            /** @enum {string} */
            readonly object: "limits";
            readonly data: readonly components["schemas"]["Limit"][];
        };
        /** AdminLoginRequest */
        readonly AdminLoginRequest: {
            /**
             * Format: email
             * @description An email address. Kept in lower case.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description Text without NUL characters. Compared after Unicode NFC. */
            readonly password: string;
        };
        /** AdminLoginChallenge */
        readonly AdminLoginChallenge: {
            /** @description For POST /admin/login/totp. */
            readonly mfa_token: string;
            /** @description Seconds. */
            readonly expires_in: number;
        };
        /** AdminTotpRequest */
        readonly AdminTotpRequest: {
            readonly mfa_token: string;
            /** @description Six digits. */
            readonly code: string;
        };
        /** AdminSession */
        readonly AdminSession: {
            readonly access_token: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
            /** @description Seconds. */
            readonly expires_in: number;
        };
        /** ListedDeveloperList */
        readonly ListedDeveloperList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["ListedDeveloper"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        /** ShownDeveloper */
        readonly ShownDeveloper: {
            /** @enum {string} */
            readonly object: "developer";
            readonly developer_id: string;
            readonly email: string;
            readonly name: string | null;
            readonly company_name: string | null;
            readonly website: string | null;
            readonly country: string | null;
            readonly timezone: string;
            readonly billing_email: string | null;
            readonly notification_preferences: {
                readonly [key: string]: boolean;
            };
            /** @enum {string} */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            readonly kyb: components["schemas"]["KybStatus"];
            readonly mfa_enabled: boolean;
            readonly auth_methods: readonly ("password" | "github" | "google")[];
            readonly live_access: boolean;
            readonly capabilities: components["schemas"]["DeveloperCapabilities"];
            readonly requirements: {
                readonly [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            readonly limits: {
                readonly agents: number | null;
                readonly projects: number | null;
            };
            readonly default_policy_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            readonly waiting_kyb_decision: components["schemas"]["PendingKybDecision"] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type KybStatus = components['schemas']['KybStatus'];
export type DeveloperCapabilities = components['schemas']['DeveloperCapabilities'];
export type DeveloperRequirement = components['schemas']['DeveloperRequirement'];
export type Developer = components['schemas']['Developer'];
export type ApiKey = components['schemas']['ApiKey'];
export type AuthFailure = components['schemas']['AuthFailure'];
export type IdentitySession = components['schemas']['IdentitySession'];
export type IdentityMfaRequired = components['schemas']['IdentityMfaRequired'];
export type Identity = components['schemas']['Identity'];
export type ReplacedApiKey = components['schemas']['ReplacedApiKey'];
export type ReplacedAccountPair = components['schemas']['ReplacedAccountPair'];
export type Session = components['schemas']['Session'];
export type MfaRequired = components['schemas']['MfaRequired'];
export type DashboardSession = components['schemas']['DashboardSession'];
export type ProviderKeyStatus = components['schemas']['ProviderKeyStatus'];
export type ProviderKeys = components['schemas']['ProviderKeys'];
export type ProviderKeyVerification = components['schemas']['ProviderKeyVerification'];
export type NoProviderKeys = components['schemas']['NoProviderKeys'];
export type AuditChainBreak = components['schemas']['AuditChainBreak'];
export type AuditAnchorStatus = components['schemas']['AuditAnchorStatus'];
export type Project = components['schemas']['Project'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type ProjectLink = components['schemas']['ProjectLink'];
export type ProjectService = components['schemas']['ProjectService'];
export type DeletionEffect = components['schemas']['DeletionEffect'];
export type Charge = components['schemas']['Charge'];
export type CatalogProvider = components['schemas']['CatalogProvider'];
export type CatalogService = components['schemas']['CatalogService'];
export type CatalogPlan = components['schemas']['CatalogPlan'];
export type Problem = components['schemas']['Problem'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryActor = components['schemas']['AuditEntryActor'];
export type AuditEntrySubject = components['schemas']['AuditEntrySubject'];
export type Link = components['schemas']['Link'];
export type Service = components['schemas']['Service'];
export type Operation = components['schemas']['Operation'];
export type Variable = components['schemas']['Variable'];
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type Limit = components['schemas']['Limit'];
export type ListedDeveloper = components['schemas']['ListedDeveloper'];
export type PendingKybDecision = components['schemas']['PendingKybDecision'];
export type UpdateDashboardProfileRequest = components['schemas']['UpdateDashboardProfileRequest'];
export type DeveloperRegisterRequest = components['schemas']['DeveloperRegisterRequest'];
export type RegisteredDeveloper = components['schemas']['RegisteredDeveloper'];
export type SignupRequest = components['schemas']['SignupRequest'];
export type Signup = components['schemas']['Signup'];
export type Captcha = components['schemas']['Captcha'];
export type AuthFailureList = components['schemas']['AuthFailureList'];
export type DeviceAuthorizationRequest = components['schemas']['DeviceAuthorizationRequest'];
export type DeviceAuthorization = components['schemas']['DeviceAuthorization'];
export type DeviceTokenRequest = components['schemas']['DeviceTokenRequest'];
export type DeviceToken = components['schemas']['DeviceToken'];
export type DeviceApprovalRequest = components['schemas']['DeviceApprovalRequest'];
export type DeviceLogin = components['schemas']['DeviceLogin'];
export type ResendVerificationRequest = components['schemas']['ResendVerificationRequest'];
export type ResentVerification = components['schemas']['ResentVerification'];
export type VerifiedEmail = components['schemas']['VerifiedEmail'];
export type GitHubOAuthRequest = components['schemas']['GitHubOAuthRequest'];
export type IdentityLoginResult = components['schemas']['IdentityLoginResult'];
export type GitHubAuthorization = components['schemas']['GitHubAuthorization'];
export type GoogleOAuthRequest = components['schemas']['GoogleOAuthRequest'];
export type IdentityList = components['schemas']['IdentityList'];
export type LoginProofRequest = components['schemas']['LoginProofRequest'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type CreateApiKeyRequest = components['schemas']['CreateApiKeyRequest'];
export type IssuedApiKey = components['schemas']['IssuedApiKey'];
export type RevokedApiKey = components['schemas']['RevokedApiKey'];
export type RotateApiKeyRequest = components['schemas']['RotateApiKeyRequest'];
export type RotatedApiKey = components['schemas']['RotatedApiKey'];
export type RotatedAccountPair = components['schemas']['RotatedAccountPair'];
export type TestSignatureRequest = components['schemas']['TestSignatureRequest'];
export type TestSignature = components['schemas']['TestSignature'];
export type DeveloperKybVerifyRequest = components['schemas']['DeveloperKybVerifyRequest'];
export type KybVerification = components['schemas']['KybVerification'];
export type PasswordForgotRequest = components['schemas']['PasswordForgotRequest'];
export type RequestedPasswordReset = components['schemas']['RequestedPasswordReset'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PasswordReset = components['schemas']['PasswordReset'];
export type SecondFactorLoginRequest = components['schemas']['SecondFactorLoginRequest'];
export type TotpEnrollment = components['schemas']['TotpEnrollment'];
export type TotpConfirmRequest = components['schemas']['TotpConfirmRequest'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type TotpDisableRequest = components['schemas']['TotpDisableRequest'];
export type DeveloperLoginRequest = components['schemas']['DeveloperLoginRequest'];
export type LoginResult = components['schemas']['LoginResult'];
export type DashboardSessionList = components['schemas']['DashboardSessionList'];
export type ProviderKeysList = components['schemas']['ProviderKeysList'];
export type ProviderKeyRequest = components['schemas']['ProviderKeyRequest'];
export type RemovedProviderKeys = components['schemas']['RemovedProviderKeys'];
export type AuditVerification = components['schemas']['AuditVerification'];
export type ProjectList = components['schemas']['ProjectList'];
export type ProjectCreateRequest = components['schemas']['ProjectCreateRequest'];
export type ProjectDeletion = components['schemas']['ProjectDeletion'];
export type ProjectUpdateRequest = components['schemas']['ProjectUpdateRequest'];
export type EnvBundle = components['schemas']['EnvBundle'];
export type ProjectStatus = components['schemas']['ProjectStatus'];
export type Catalog = components['schemas']['Catalog'];
export type ProjectDeletionPreview = components['schemas']['ProjectDeletionPreview'];
export type AuditEntryList = components['schemas']['AuditEntryList'];
export type PaymentMethodAttachRequest = components['schemas']['PaymentMethodAttachRequest'];
export type PaymentMethodAttachment = components['schemas']['PaymentMethodAttachment'];
export type LinkProviderRequest = components['schemas']['LinkProviderRequest'];
export type SettledLink = components['schemas']['SettledLink'];
export type LinkList = components['schemas']['LinkList'];
export type AddServiceRequest = components['schemas']['AddServiceRequest'];
export type ServiceAddition = components['schemas']['ServiceAddition'];
export type ServiceList = components['schemas']['ServiceList'];
export type ServiceRemoval = components['schemas']['ServiceRemoval'];
export type VariableList = components['schemas']['VariableList'];
export type VariableSetRequest = components['schemas']['VariableSetRequest'];
export type DeletedVariable = components['schemas']['DeletedVariable'];
export type AuditCheckpointList = components['schemas']['AuditCheckpointList'];
export type ServerTime = components['schemas']['ServerTime'];
export type LimitList = components['schemas']['LimitList'];
export type AdminLoginRequest = components['schemas']['AdminLoginRequest'];
export type AdminLoginChallenge = components['schemas']['AdminLoginChallenge'];
export type AdminTotpRequest = components['schemas']['AdminTotpRequest'];
export type AdminSession = components['schemas']['AdminSession'];
export type ListedDeveloperList = components['schemas']['ListedDeveloperList'];
export type ShownDeveloper = components['schemas']['ShownDeveloper'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
