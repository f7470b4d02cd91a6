// Generated from openapi/openapi.json by `npm run generate`. Do not edit.

interface components {
    schemas: {
        /** @description The developer's business verification (KYB). */
        readonly KybStatus: {
            /**
             * @description Status of the business verification (KYB). Set by an admin; changes to `expired` at `expires_at`.
             * @enum {string}
             */
            readonly status: "unverified" | "pending" | "verified" | "rejected" | "revoked" | "expired";
            /** @description When an admin verified the business. Null unless `status` is `verified` or `expired`. */
            readonly verified_at: string | null;
            /** @description When the verification expires. Null if it never expires, or if the business was not verified. */
            readonly expires_at: string | null;
            /** @description A reference for the verification, for example a case number. Null if there is none. */
            readonly reference: string | null;
        };
        /** @description The status of each feature that requires a verified email address. */
        readonly DeveloperCapabilities: {
            /**
             * @description Status of this feature. `active` if the developer's email address is verified, `inactive` if not. The other values are not used in this API version.
             * @enum {string}
             */
            readonly live_keys: "unrequested" | "pending" | "active" | "inactive";
            /**
             * @description Status of this feature. `active` if the developer's email address is verified, `inactive` if not. The other values are not used in this API version.
             * @enum {string}
             */
            readonly live_wallets: "unrequested" | "pending" | "active" | "inactive";
            /**
             * @description Status of this feature. `active` if the developer's email address is verified, `inactive` if not. The other values are not used in this API version.
             * @enum {string}
             */
            readonly fiat: "unrequested" | "pending" | "active" | "inactive";
        };
        readonly DeveloperRequirement: {
            /**
             * @description Status of the requirement. `due`: the developer must provide the information. `pending`: the information is being reviewed.
             * @enum {string}
             */
            readonly status: "due" | "pending" | "satisfied";
        };
        readonly DeveloperLimits: {
            /** @description Maximum number of agents. `null` means no limit. */
            readonly agents: number | null;
            /** @description Maximum number of projects. `null` means no limit. */
            readonly projects: number | null;
        };
        /** @description A developer's profile. */
        readonly Developer: {
            /** @enum {string} */
            readonly object: "developer";
            /** @description The developer's id, with the prefix `dev_`. */
            readonly developer_id: string;
            /** @description The developer's email address in lowercase. */
            readonly email: string;
            /** @description The developer's name. Null if it is not set. */
            readonly name: string | null;
            readonly company_name: string | null;
            /** @description The developer's website: an http or https URL. Null if it is not set. */
            readonly website: string | null;
            /** @description The developer's country: a two-letter code (ISO 3166-1 alpha-2). Null if it is not set. */
            readonly country: string | null;
            /** @description The developer's time zone, from the IANA database. Default: `UTC`. */
            readonly timezone: string;
            /** @description The email address for bills. Null if it is not set. */
            readonly billing_email: string | null;
            /** @description Whether the developer receives each kind of notification. Kinds that were never set are absent. */
            readonly notification_preferences: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Status of the developer's account. `pending_verification` until the email address is verified.
             * @enum {string}
             */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            /** @description When the developer registered for the API, which creates the first key pair. Null if the developer has not. */
            readonly registered_at: string | null;
            readonly kyb: components["schemas"]["KybStatus"];
            /** @description Whether logging in requires a second factor. */
            readonly mfa_enabled: boolean;
            /** @description The ways to log in: the password and the linked identity providers. */
            readonly auth_methods: readonly ("password" | "github" | "google")[];
            /** @description Whether the developer can use live mode. True once the email address is verified. */
            readonly live_access: boolean;
            readonly capabilities: components["schemas"]["DeveloperCapabilities"];
            /** @description Information that Purser requires from the developer, by name, for example `kyb_documents`. Empty if nothing is required. */
            readonly requirements: {
                readonly [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            readonly limits: components["schemas"]["DeveloperLimits"];
            /** @description The starter policy in the mode of the API key or of `X-Svc-Mode`, otherwise in live mode. Null until an agent needs it. */
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
        readonly UpdateDashboardProfileRequest: {
            /**
             * Format: visible
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly name?: string | null;
            /**
             * Format: visible
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly company_name?: string | null;
            /**
             * Format: visible
             * @description The developer's website: an http or https URL without a user name or password.
             */
            readonly website?: string | null;
            /**
             * @description A two-letter country code in capital letters (ISO 3166-1 alpha-2).
             * @example US
             */
            readonly country?: string | null;
            /**
             * @description A time zone from the IANA database. `null` means `UTC`.
             * @example Europe/Berlin
             */
            readonly timezone?: string | null;
            /**
             * Format: email
             * @description An email address. Stored in lowercase, with an international domain as Punycode.
             * @example ada@example.com
             */
            readonly billing_email?: string | null;
            /** @description The preferences to change, merged with the current ones. `null` clears all preferences. Emails about approvals are sent unless `approvals` is false, and emails that protect the account in any case. No emails are sent about spending caps and product news yet. */
            readonly notification_preferences?: {
                /** @description Whether to send notifications about approvals. */
                readonly approvals?: boolean | null;
                /** @description Whether to send notifications about spending caps. */
                readonly caps?: boolean | null;
                /** @description Whether to send notifications about security. */
                readonly security?: boolean | null;
                /** @description Whether to send notifications about product news. */
                readonly product?: boolean | null;
            } | null;
        };
        readonly Amount: string;
        readonly ProjectSpend: {
            readonly project_id: string;
            readonly name: string;
            /** @example 100.00 */
            readonly monthly_cap: components["schemas"]["Amount"];
            /**
             * @description Total of this month's charges whose amounts are final, excluding failed, released and refunded ones.
             * @example 100.00
             */
            readonly spent: components["schemas"]["Amount"];
            /**
             * @description Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed.
             * @example 100.00
             */
            readonly reserved: components["schemas"]["Amount"];
            /**
             * @description `monthly_cap` minus `spent` and `reserved`, but never negative.
             * @example 100.00
             */
            readonly remaining: components["schemas"]["Amount"];
        };
        readonly DashboardSpend: {
            /** @enum {string} */
            readonly currency: "usd";
            /**
             * Format: date-time
             * @description Start of the current calendar month (UTC).
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly period_start: string;
            /**
             * Format: date-time
             * @description Start of the next calendar month (UTC).
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly period_end: string;
            /**
             * @description The sum of the projects' caps.
             * @example 100.00
             */
            readonly monthly_cap: components["schemas"]["Amount"];
            /**
             * @description What all projects have spent.
             * @example 100.00
             */
            readonly spent: components["schemas"]["Amount"];
            /**
             * @description What is reserved for all projects.
             * @example 100.00
             */
            readonly reserved: components["schemas"]["Amount"];
            /** @description Up to 100 projects, those that have spent and reserved the most first. */
            readonly projects: readonly components["schemas"]["ProjectSpend"][];
            /** @description Whether there are more than 100 projects. */
            readonly more: boolean;
        };
        readonly BalanceTotal: {
            /** @enum {string} */
            readonly network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            /** @enum {string} */
            readonly token: "USDC" | "USDT" | "PYUSD" | "EURC";
            readonly wallet_count: number;
            /**
             * @description The sum of the wallets' balances in the ledger.
             * @example 100.00
             */
            readonly total: components["schemas"]["Amount"];
            /**
             * @description What the wallets can pay: `total` minus `held`.
             * @example 100.00
             */
            readonly available: components["schemas"]["Amount"];
            /**
             * @description What is held for payments that are not settled.
             * @example 100.00
             */
            readonly held: components["schemas"]["Amount"];
        };
        readonly PaymentDay: {
            /**
             * Format: date
             * @description The day (UTC) on which the payments were made.
             */
            readonly date: string;
            readonly count: number;
            /**
             * @description What their payees were paid, in USDC.
             * @example 100.00
             */
            readonly paid: components["schemas"]["Amount"];
        };
        readonly PaymentCounts: {
            /** @description How many days back payments are counted. */
            readonly window_days: number;
            /** @description How many payments were counted: the newest 1000 at most. */
            readonly counted: number;
            /** @description Whether these are all payments of the window. */
            readonly is_complete: boolean;
            /** @description The number of these payments for each status that one of them has: `requires_approval`, `approved`, `queued`, `signing`, `submitted`, `confirmed`, `authorized`, `captured`, `voided`, `denied`, `rejected`, `expired`, `canceled`, `failed`, `dropped`, `refunded`, `partially_refunded`. */
            readonly by_status: {
                readonly [key: string]: number;
            };
            /**
             * @description What the payees of these payments were paid, in USDC.
             * @example 100.00
             */
            readonly paid: components["schemas"]["Amount"];
            /** @description These payments by day, the first day first. Days without payments are left out. */
            readonly by_day: readonly components["schemas"]["PaymentDay"][];
        };
        readonly WaitingApproval: {
            readonly approval_id: string;
            /** @description What happens after the approval, in one line. */
            readonly title: string;
            /** @description The amount that is spent. Null if nothing is spent. */
            readonly amount: components["schemas"]["Amount"] | null;
            /** @description Currency or token of the amount. Null if `amount` is null. */
            readonly currency: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
        };
        readonly BrokenLink: {
            readonly link_id: string;
            readonly project_id: string;
            readonly project_name: string;
            readonly provider: string;
            /** @enum {string} */
            readonly status: "failed" | "expired";
        };
        readonly Actor: {
            /** @enum {string} */
            readonly type: "developer" | "agent" | "admin" | "system";
            readonly id: string;
        };
        readonly WalletFreeze: {
            readonly database: {
                /** @description Whether Purser refuses transactions of the wallet. */
                readonly frozen: boolean;
            };
            readonly onchain: {
                /**
                 * @description The freeze of the account's contract. `simulated` in test mode.
                 * @enum {string}
                 */
                readonly status: "not_frozen" | "pending" | "confirmed" | "failed" | "unfreeze_pending" | "simulated";
                readonly tx_hash: string | null;
                readonly block_number: number | null;
            };
            /** @description What is refused: outgoing transactions, or all (`full`). Null unless frozen. */
            readonly mode: ("outgoing_only" | "full") | null;
            readonly reason: ("compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other") | null;
            readonly note: string | null;
            readonly reference: string | null;
            /** @description Who froze the wallet. Null unless frozen. */
            readonly frozen_by: components["schemas"]["Actor"] | null;
            readonly frozen_at: string | null;
            /** @description When the freeze is due for review. It does not end by itself. */
            readonly expires_at: string | null;
        };
        readonly FrozenWallet: {
            readonly wallet_id: string;
            /** Format: uuid */
            readonly agent_id: string;
            readonly agent_name: string;
            /** @enum {string} */
            readonly network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            readonly freeze: components["schemas"]["WalletFreeze"];
        };
        readonly EndingKey: {
            readonly key_id: string;
            readonly name: string;
            /**
             * @description `grace_ends`: the key was rotated, and its grace period ends.
             * @enum {string}
             */
            readonly reason: "expires" | "grace_ends";
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly ends_at: string;
        };
        readonly BlockedProject: {
            readonly project_id: string;
            readonly name: string;
            /**
             * @description Status of the project. Services can only be added to an `active` project. `delete_failed`: a provider could not delete a resource; retry the deletion.
             * @enum {string}
             */
            readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            /** @description Whether the monthly cap is spent or reserved. */
            readonly cap_reached: boolean;
        };
        readonly UnpaidProject: {
            readonly project_id: string;
            readonly name: string;
            /**
             * @description The project's `billing.status`.
             * @enum {string}
             */
            readonly billing_status: "requires_payment_method" | "requires_action" | "past_due";
        };
        readonly Attention: {
            /** @description Pending approvals, those that expire first come first. */
            readonly approvals: {
                readonly data: readonly components["schemas"]["WaitingApproval"][];
                /** @description Whether there are more than 10. */
                readonly more: boolean;
            };
            /** @description Links that failed or expired and were not replaced, newest first. */
            readonly links: {
                readonly data: readonly components["schemas"]["BrokenLink"][];
                /** @description Whether there are more than 10. */
                readonly more: boolean;
            };
            /** @description Frozen wallets, the last frozen first. */
            readonly frozen_wallets: {
                readonly data: readonly components["schemas"]["FrozenWallet"][];
                /** @description Whether there are more than 10. */
                readonly more: boolean;
            };
            /** @description API keys that end within seven days, those that end first come first. */
            readonly keys: {
                readonly data: readonly components["schemas"]["EndingKey"][];
                /** @description Whether there are more than 10. */
                readonly more: boolean;
            };
            /** @description Projects that are suspended, could not be deleted, or have reached their cap. */
            readonly projects: {
                readonly data: readonly components["schemas"]["BlockedProject"][];
                /** @description Whether there are more than 10. */
                readonly more: boolean;
            };
            /** @description Projects whose services cannot be paid. */
            readonly billing: {
                readonly data: readonly components["schemas"]["UnpaidProject"][];
                /** @description Whether there are more than 10. */
                readonly more: boolean;
            };
        };
        readonly Checklist: {
            readonly email_verified: boolean;
            /** @description Whether there is an API key that can be used. */
            readonly has_key: boolean;
            readonly has_project: boolean;
            readonly has_linked_provider: boolean;
            /** @description Whether there is a service that was neither removed nor failed. */
            readonly has_service: boolean;
            readonly has_agent: boolean;
            readonly has_wallet: boolean;
            readonly has_payment: boolean;
        };
        readonly DashboardOverview: {
            /** @enum {string} */
            readonly object: "dashboard_overview";
            /** @enum {string} */
            readonly mode: "live" | "test";
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly as_of: string;
            readonly spend: components["schemas"]["DashboardSpend"];
            readonly balances: {
                /**
                 * Format: date-time
                 * @description When the ledger was read.
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly as_of: string;
                /** @description One item for each network and token. */
                readonly data: readonly components["schemas"]["BalanceTotal"][];
            };
            readonly payments: components["schemas"]["PaymentCounts"];
            readonly attention: components["schemas"]["Attention"];
            readonly checklist: components["schemas"]["Checklist"];
        };
        readonly InvalidField: {
            /** @description JSON pointer to the value. The first part is the location in the request, for example `/body/name`. */
            readonly pointer: string;
            /** @description The rule that the value violates, such as `format`. */
            readonly code: string;
            /** @description Human-readable explanation of what is wrong with the field. */
            readonly detail: string;
        };
        readonly LimitDecision: {
            /** @description The rule that refused the request. */
            readonly rule_id: string;
            /** @description The policy of the rule. */
            readonly policy_id?: string;
            /** @description The version of the policy. */
            readonly policy_version?: number;
            /** @example 100.00 */
            readonly limit: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly used: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly remaining: components["schemas"]["Amount"];
            /** @description When the used amount decreases next. Null if it never does. */
            readonly resets_at: string | null;
        };
        readonly RuleDecision: {
            /** @description The rule that refused the request. */
            readonly rule_id: string;
            /** @description The policy of the rule. */
            readonly policy_id?: string;
            /** @description The version of the policy. */
            readonly policy_version?: number;
        };
        readonly KyaDecision: {
            /** @enum {string} */
            readonly gate: "kya";
            /** @enum {string} */
            readonly required_level: "none" | "basic" | "verified" | "attested";
            /** @enum {string} */
            readonly actual_level: "none" | "basic" | "verified" | "attested";
            /** @description The evidence that would raise the level. */
            readonly missing: readonly string[];
        };
        readonly BalanceDecision: {
            /** @example 100.00 */
            readonly available: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly required: components["schemas"]["Amount"];
        };
        /** @description Why the request was refused: the limit that would be exceeded, the rule of a policy, the know-your-agent level, or the available and the required balance. Only some errors have it. */
        readonly Decision: components["schemas"]["LimitDecision"] | components["schemas"]["RuleDecision"] | components["schemas"]["KyaDecision"] | components["schemas"]["BalanceDecision"];
        /** @description What has to be done before the request can succeed. Only some errors have it. */
        readonly NextAction: {
            readonly type: string;
            /**
             * @description Who has to act.
             * @enum {string}
             */
            readonly actor: "human" | "agent";
            /** @description Where to act. */
            readonly url?: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string;
        };
        /** @description An error in the Problem Details format (RFC 9457). */
        readonly Problem: {
            /** @description URI reference of the problem type: `/errors/` followed by the `code`. */
            readonly type: string;
            /** @description Short human-readable summary. It is the same for all problems with the same code. */
            readonly title: string;
            /** @description HTTP status code. */
            readonly status: number;
            /** @description Human-readable explanation. The text can change; do not parse it. */
            readonly detail: string;
            /**
             * @description Stable error code. Use it, not the texts, to decide how to handle the error. More codes can be added, so handle unknown ones too.
             * @enum {string}
             */
            readonly code: "authentication_failed" | "email_not_verified" | "insufficient_scope" | "admin_review_required" | "reauthentication_required" | "cross_origin" | "not_found" | "developer_not_found" | "api_key_not_found" | "session_not_found" | "identity_not_found" | "project_not_found" | "link_not_found" | "service_not_found" | "operation_not_found" | "agent_not_found" | "agent_suspended" | "kya_required" | "policy_denied" | "policy_not_found" | "approval_not_found" | "cap_exceeded" | "payment_method_required" | "provider_not_linked" | "tos_acceptance_required" | "insufficient_funds" | "wallet_frozen" | "wallet_not_found" | "wallet_already_exists" | "live_wallet" | "network_not_enabled" | "fiat_account_not_found" | "bank_link_not_found" | "conversion_not_found" | "quote_expired" | "kyb_required" | "provider_not_configured" | "unsupported_pair" | "network_unavailable" | "kill_switch_not_found" | "event_not_found" | "webhook_not_found" | "payment_not_found" | "not_refundable" | "link_in_use" | "invalid_state" | "not_upgradable" | "provider_error" | "provider_unavailable" | "variable_not_found" | "method_not_allowed" | "already_exists" | "conflict" | "account_changed" | "version_conflict" | "secret_already_issued" | "idempotency_in_flight" | "signature_replayed" | "payload_too_large" | "misdirected_request" | "expectation_failed" | "unsupported_media_type" | "validation_error" | "invalid_token" | "idempotency_conflict" | "rate_limited" | "headers_too_large" | "bad_request" | "request_timeout" | "internal_error" | "service_unavailable" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";
            /** @description The request id, also sent in the `X-Request-Id` header. Include it when you contact support. */
            readonly request_id: string;
            /** @description Whether the same request can succeed later. If true, the response includes the `Retry-After` header. */
            readonly retryable: boolean;
            /** @description The invalid values, at most 50. Empty if the problem is not caused by invalid values. */
            readonly errors: readonly components["schemas"]["InvalidField"][];
            readonly decision?: components["schemas"]["Decision"];
            readonly next_action?: components["schemas"]["NextAction"];
            /** @description The existing wallet. Only `wallet_already_exists` has it. */
            readonly wallet_id?: string;
        };
        readonly DeveloperRegisterRequest: {
            /**
             * Format: visible
             * @description The company's name, on one line. Default: the `company_name` in the developer's profile.
             */
            readonly company_name?: string;
            /**
             * Format: visible
             * @description The name of the account's first API key, on one line. Default: the text `default`.
             */
            readonly key_name?: string;
            /**
             * @description The mode of the account's first API key. Default: `live`.
             * @enum {string}
             */
            readonly mode?: "live" | "test";
            /**
             * @description The signature algorithm for requests. Default: `hmac-sha256`.
             * @enum {string}
             */
            readonly signature_alg?: "hmac-sha256" | "ed25519";
            /** @description The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key. */
            readonly public_key?: string;
            /** @description An Ed25519 signature over the text `svc-ed25519-pop-v1\n<developer_id>\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`. */
            readonly proof?: string;
        };
        /** @description An API key, without its secret. */
        readonly ApiKey: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description The key's id, with the prefix `key_`. */
            readonly key_id: string;
            /** @description The key's name, set by the developer. */
            readonly name: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The first characters of `api_key`: `svc_sk_live_` in live mode, `svc_sk_test_` in test mode. */
            readonly key_prefix: string;
            /** @description The last four characters of `api_key`, preceded by an ellipsis. */
            readonly key_hint: string;
            /**
             * @description The signature algorithm for requests (docs/rules/signing.md).
             * @enum {string}
             */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /**
             * @description Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`.
             * @enum {string}
             */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            /** @description The scopes granted to the key. For a key bound to agents or projects, only those that such a key can use. */
            readonly scopes: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            /** @description UUIDs of the agents that the key is bound to. A key bound to agents can only access projects whose `agent_ids` include one of them. Empty if the key is not bound to agents. */
            readonly agent_ids: readonly string[];
            /** @description Ids of the projects that the key is bound to. A key bound to projects can only access these projects. Empty if the key is not bound to projects. */
            readonly project_ids: readonly string[];
            /** @description The networks that requests must come from, as CIDR blocks. Empty if requests can come from any network. */
            readonly ip_allowlist: readonly string[];
            /** @description Maximum requests per minute. `null` means the standard limit for API keys. */
            readonly rate_limit_per_minute: number | null;
            /** @description Key-value pairs set by the developer. */
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
            /** @description The id of the developer who created the key. */
            readonly created_by: string;
            /** @description When the key expires. `null` if it never expires. */
            readonly expires_at: string | null;
            /** @description When the last request with the key was accepted. `null` if the key has never been used. */
            readonly last_used_at: string | null;
            /** @description The network that the last accepted request came from: a /24 for IPv4, a /64 for IPv6. Null if the key has never been used. */
            readonly last_used_ip: string | null;
            /** @description The id of the key that this key replaced. Null if it replaced none. */
            readonly rotated_from: string | null;
            /** @description The id of the key that replaced this key. Null if this key was not replaced. */
            readonly replaced_by: string | null;
            /** @description When the key stops working, if it was replaced with a grace period. Null in all other cases. */
            readonly grace_expires_at: string | null;
            readonly revoked_at: string | null;
            /** @description Why the key was revoked: `revoked` by a call, `rotated`, `compromised` or `personnel` if another key replaced it, `superseded` if that key was then replaced too, `revoked_by_mailed_link` through the URL in an email, `password_reset`, or `account_reclaimed` if the owner of the email address took over the account. Null if the key is not revoked. */
            readonly revoke_reason: string | null;
        };
        /** @description A registered developer and the account's first key pair. The key pair is shown only once. */
        readonly RegisteredDeveloper: {
            readonly developer: components["schemas"]["Developer"];
            readonly key: components["schemas"]["ApiKey"];
            /** @description The API key to send with each request. It is returned only in this response: store it now. */
            readonly api_key: string;
            /** @description The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key. */
            readonly api_secret: string | null;
            /** @description A reminder to store the key pair, because it is shown only once. */
            readonly warning: string;
        };
        readonly SignupRequest: {
            /**
             * Format: email
             * @description An email address. Stored in lowercase, with an international domain as Punycode.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description 12 to 128 characters after Unicode NFC normalization. NUL is not allowed. */
            readonly password: string;
            /** @description The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned. */
            readonly captcha_token: string;
            /**
             * Format: visible
             * @description The developer's name, on one line.
             */
            readonly name?: string;
            /**
             * Format: visible
             * @description The company's name, on one line.
             */
            readonly company_name?: string;
            /**
             * @description A two-letter country code in capital letters (ISO 3166-1 alpha-2).
             * @example US
             */
            readonly country?: string;
            /**
             * Format: visible
             * @description The version of Purser's terms of service that the developer accepts. It is recorded in the audit trail.
             */
            readonly accept_terms_version?: string;
        };
        readonly Signup: {
            /** @enum {string} */
            readonly status: "verification_sent";
            /** @description The email address from the request, in lowercase. An email is sent to this address, unless there were too many signups with it within an hour. */
            readonly email: string;
            /**
             * Format: date-time
             * @description When the verification URL in the email expires: 24 hours after the signup.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly verification_expires_at: string;
        };
        /** @description An ALTCHA challenge in the ALTCHA library's format, or the configuration for the captcha provider's widget. */
        readonly Captcha: {
            readonly [key: string]: unknown;
        };
        readonly LoginCaptcha: {
            /**
             * @description `altcha`: get a challenge from `GET /developers/captcha` and solve it. `turnstile`: show Cloudflare's widget.
             * @enum {string}
             */
            readonly provider: "altcha" | "turnstile";
            /** @description The site key of the captcha provider's widget. Null with `altcha`. */
            readonly site_key: string | null;
            /** @description The action name that the widget must have. Null with `altcha`. */
            readonly action: string | null;
        };
        /** @description How developers can log in and sign up. */
        readonly LoginOptions: {
            /** @enum {string} */
            readonly object: "login_options";
            /** @description The identity providers with which developers can log in, besides a password. */
            readonly identity_providers: readonly ("github" | "google")[];
            readonly captcha: components["schemas"]["LoginCaptcha"];
        };
        readonly ResendVerificationRequest: {
            /**
             * Format: email
             * @description An email address. Stored in lowercase, with an international domain as Punycode.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description Ignored. This call does not require a captcha. */
            readonly captcha_token?: string;
        };
        readonly ResentVerification: {
            /** @enum {string} */
            readonly status: "accepted";
        };
        readonly VerifiedEmail: {
            /** @enum {string} */
            readonly status: "verified";
            /**
             * @description URL path of the page to show next, which is the login page.
             * @enum {string}
             */
            readonly redirect_url: "/login?verified=1";
        };
        readonly VerifyEmailRequest: {
            /** @description The token from the verification email. */
            readonly token: string;
        };
        readonly KybCaseRequest: {
            /**
             * Format: visible
             * @description The business's registered name, on one line.
             */
            readonly legal_name: string;
            /**
             * Format: visible
             * @description The business's registration number, on one line.
             */
            readonly registration_number: string;
            /**
             * @description Where the business is registered: a two-letter country code in capital letters (ISO 3166-1 alpha-2).
             * @example US
             */
            readonly jurisdiction: string;
        };
        readonly KybCase: {
            /** @enum {string} */
            readonly object: "kyb_case";
            /**
             * @description Status of the business verification (KYB). `none` until the developer or an admin begins it.
             * @enum {string}
             */
            readonly status: "none" | "pending" | "verified" | "rejected" | "revoked" | "expired";
            /** @description The business's registered name. Null if the developer has sent no data. */
            readonly legal_name: string | null;
            readonly registration_number: string | null;
            /** @description Where the business is registered: a two-letter country code. */
            readonly jurisdiction: string | null;
            /** @description When the developer sent the data. Null if the developer has sent none. */
            readonly submitted_at: string | null;
            /** @description When admins decided. Null while they have not. */
            readonly decided_at: string | null;
            /** @description The `reference` of the admins' decision. Null if there is none. */
            readonly reason: string | null;
        };
        readonly DeveloperKybVerifyRequest: {
            /** @description The developer's id, with the prefix `dev_`. */
            readonly developer_id: string;
            /**
             * @description The KYB status to set.
             * @enum {string}
             */
            readonly status: "verified" | "rejected" | "revoked";
            /**
             * Format: visible
             * @description The registered name of the business, on one line.
             */
            readonly legal_name?: string;
            /**
             * Format: visible
             * @description The company's registration number, on one line.
             */
            readonly registration_number?: string;
            /**
             * Format: visible
             * @description The country or state of registration, on one line.
             */
            readonly jurisdiction?: string;
            /**
             * Format: visible
             * @description A reference for the verification, for example a case number. Visible to the developer.
             */
            readonly reference?: string;
            /**
             * Format: display
             * @description A note for other admins. If two admins must decide, their notes can differ.
             */
            readonly note?: string;
            /**
             * Format: date-time
             * @description The `submitted_at` of the case that you have checked. If the developer has sent other data since, the call fails with `conflict`. Default: not checked with a token, and no case with a cookie.
             */
            readonly submitted_at?: string;
            /**
             * Format: date-time
             * @description When the verification expires. Must be in the future. Default: the verification never expires.
             */
            readonly expires_at?: string;
        };
        readonly KybVerification: {
            /** @enum {string} */
            readonly object: "developer";
            /** @description The developer's id, with the prefix `dev_`. */
            readonly developer_id: string;
            /** @description The developer's email address in lowercase. */
            readonly email: string;
            /** @description The developer's name. Null if it is not set. */
            readonly name: string | null;
            readonly company_name: string | null;
            /** @description The developer's website: an http or https URL. Null if it is not set. */
            readonly website: string | null;
            /** @description The developer's country: a two-letter code (ISO 3166-1 alpha-2). Null if it is not set. */
            readonly country: string | null;
            /** @description The developer's time zone, from the IANA database. Default: `UTC`. */
            readonly timezone: string;
            /** @description The email address for bills. Null if it is not set. */
            readonly billing_email: string | null;
            /** @description Whether the developer receives each kind of notification. Kinds that were never set are absent. */
            readonly notification_preferences: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Status of the developer's account. `pending_verification` until the email address is verified.
             * @enum {string}
             */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            /** @description When the developer registered for the API, which creates the first key pair. Null if the developer has not. */
            readonly registered_at: string | null;
            readonly kyb: components["schemas"]["KybStatus"];
            /** @description Whether logging in requires a second factor. */
            readonly mfa_enabled: boolean;
            /** @description The ways to log in: the password and the linked identity providers. */
            readonly auth_methods: readonly ("password" | "github" | "google")[];
            /** @description Whether the developer can use live mode. True once the email address is verified. */
            readonly live_access: boolean;
            readonly capabilities: components["schemas"]["DeveloperCapabilities"];
            /** @description Information that Purser requires from the developer, by name, for example `kyb_documents`. Empty if nothing is required. */
            readonly requirements: {
                readonly [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            readonly limits: components["schemas"]["DeveloperLimits"];
            /** @description The starter policy in the mode of the API key or of `X-Svc-Mode`, otherwise in live mode. Null until an agent needs it. */
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
            /** @description The id of the audit entry for the decision. */
            readonly audit_id: string;
        };
        readonly PasswordForgotRequest: {
            /**
             * Format: email
             * @description An email address. Stored in lowercase, with an international domain as Punycode.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description Ignored. This call does not require a captcha. */
            readonly captcha_token?: string;
        };
        readonly RequestedPasswordReset: {
            /** @enum {string} */
            readonly status: "accepted";
        };
        readonly PasswordResetRequest: {
            /** @description The token from the password reset email. Valid once, for one hour. */
            readonly token: string;
            /** @description 12 to 128 characters after Unicode NFC normalization. NUL is not allowed. */
            readonly password: string;
            /** @description Whether to keep the API keys of an account whose ownership was never confirmed (see `POST /developers/password/reset`). Default: false, which revokes the keys. */
            readonly keep_keys?: boolean;
            /** @description Whether to revoke the API keys of an account whose ownership was confirmed before this call. Default: false, which keeps the keys. */
            readonly revoke_keys?: boolean;
        };
        readonly PasswordReset: {
            /** @enum {string} */
            readonly status: "password_reset";
        };
        readonly EmailedTokenRequest: {
            /** @description The token in the URL of the email. */
            readonly token: string;
            /**
             * @description What the email is for: `verify_email` after a signup, `reset_password` after a request to reset the password, `revoke_keys` after a login with an identity provider.
             * @enum {string}
             */
            readonly purpose: "verify_email" | "reset_password" | "revoke_keys";
        };
        readonly EmailedTokenKey: {
            /** @description The key's id, with the prefix `key_`. */
            readonly key_id: string;
            /** @description The last four characters of `api_key`, preceded by an ellipsis. */
            readonly key_hint: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The key's name, set by the developer. */
            readonly name: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /** @description When the last request with the key was accepted. `null` if the key has never been used. */
            readonly last_used_at: string | null;
        };
        /** @description What a token from an email is for. */
        readonly EmailedToken: {
            /** @enum {string} */
            readonly object: "emailed_token";
            /** @enum {string} */
            readonly purpose: "verify_email" | "reset_password" | "revoke_keys";
            /** @description The account's email address. */
            readonly email: string;
            /** @description With `verify_email`: when the address was verified, with this token or another one. Null if the token can still verify it, and for other purposes. */
            readonly verified_at: string | null;
            /** @description Whether ownership of the account is confirmed. If not, a password reset removes the second factor, the linked identities and the profile, and revokes the keys unless `keep_keys` is true. If it is, a password reset keeps the keys unless `revoke_keys` is true. Null with `verify_email`. */
            readonly ownership_confirmed: boolean | null;
            /** @description The account's valid API keys, newest first. Empty with `verify_email`. */
            readonly keys: readonly components["schemas"]["EmailedTokenKey"][];
        };
        readonly EmailedKeyRevocationRequest: {
            /** @description The token in the URL of the email. */
            readonly token: string;
        };
        readonly RevokedKeys: {
            /** @enum {string} */
            readonly object: "revoked_keys";
            /** @description The number of revoked keys. */
            readonly count: number;
        };
        /** @description A group of requests with the same key, reason and network that were rejected within one minute. */
        readonly AuthFailure: {
            /** @enum {string} */
            readonly object: "auth_failure";
            /** @description The id of the API key that the requests were sent with. Null for a dashboard session, whose `mode` is `live`. */
            readonly key_id: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The verification step that failed, 1 to 5 (docs/rules/signing.md). */
            readonly step: number;
            /**
             * @description Why the requests were rejected. `header_missing`: one of the four signing headers was absent. `mode_missing`: a dashboard token was sent without a valid `X-Svc-Mode`.
             * @enum {string}
             */
            readonly reason: "header_missing" | "mode_missing" | "timestamp_skewed" | "nonce_malformed" | "nonce_replayed" | "key_revoked" | "key_expired" | "network_not_allowed" | "signature_mismatch" | "signature_replayed";
            /** @description How far the timestamp of the last request was ahead of the server's clock, in seconds. Negative if the timestamp was behind. Null if `reason` is not `timestamp_skewed`, or if the timestamp was malformed. */
            readonly skew_seconds: number | null;
            /** @description The caller's IPv4 address or IPv6 /64 network. `other` if 50 items for the same key and minute were already stored. */
            readonly network: string;
            /** @description Number of rejected requests in this group. */
            readonly count: number;
            /**
             * Format: date-time
             * @description When the first of these requests was received.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly first_at: string;
            /**
             * Format: date-time
             * @description When the last of the `count` requests was received.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
            /** @description The `request_id` of the last of the `count` requests. */
            readonly request_id: string;
        };
        readonly AuthFailureList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AuthFailure"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly LoggedRequest: {
            /** @enum {string} */
            readonly object: "logged_request";
            /** @description The request's id, also in its `X-Request-Id` response header. */
            readonly request_id: string;
            /** @description The API key that the request was signed with. */
            readonly key_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The UUID in `X-Agent-ID`. Null if the request had none, or no valid one. */
            readonly agent_id: string | null;
            /** @description HTTP method. */
            readonly method: string;
            /**
             * @description The endpoint's path, with the names of its parameters instead of their values.
             * @example /api/v1/svc/projects/{project_id}/env
             */
            readonly path: string;
            /** @description HTTP status of the response. */
            readonly status: number;
            /** @description The `code` of the response's problem, which says why the request was refused. Null if it was not. */
            readonly error_code: string | null;
            /** @description Time from the check of the signature until the response was sent, in milliseconds. */
            readonly duration_ms: number;
            /**
             * Format: date-time
             * @description When the response was sent.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly LoggedRequestList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["LoggedRequest"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly ApiKeyList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["ApiKey"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly CreateApiKeyRequest: {
            /**
             * Format: visible
             * @description A name for the key: up to 100 characters on one line.
             */
            readonly name: string;
            /**
             * @description The signature algorithm for requests. Default: `hmac-sha256`.
             * @enum {string}
             */
            readonly signature_alg?: "hmac-sha256" | "ed25519";
            /** @description The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key. */
            readonly public_key?: string;
            /** @description An Ed25519 signature over the text `svc-ed25519-pop-v1\n<developer_id>\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`. */
            readonly proof?: string;
            /** @description The scopes of the key. Default: the caller's scopes except `approvals:write`. If the new key is a test key, the default does not include `audit:read` either. */
            readonly scopes?: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            /** @description Ids of the projects that the key is bound to. The projects must have the same mode as the key. Default: the `project_ids` of the calling key. */
            readonly project_ids?: readonly string[];
            /** @description Networks that requests must come from, as IPv4 or IPv6 CIDR blocks. Default: the `ip_allowlist` of the calling key. */
            readonly ip_allowlist?: readonly string[];
            /**
             * Format: date-time
             * @description When the key expires. Must be in the future. Send `null` for a key that never expires. Default: the `expires_at` of the calling key.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string | null;
            /** @description Maximum requests per minute. Send `null` for the standard limit for API keys. Default: the `rate_limit_per_minute` of the calling key. */
            readonly rate_limit_per_minute?: number | null;
            /** @description Up to 50 key-value pairs that you choose. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
            /**
             * @description The mode of the key. Default: the caller's mode. Test keys can only create test keys.
             * @enum {string}
             */
            readonly mode?: "live" | "test";
            /** @description UUIDs of the agents that the key is bound to. Default: the `agent_ids` of the calling key. */
            readonly agent_ids?: readonly string[];
        };
        /** @description The properties of a new API key and its key pair. The key pair is shown only once. */
        readonly IssuedApiKey: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description The key's id, with the prefix `key_`. */
            readonly key_id: string;
            /** @description The key's name, set by the developer. */
            readonly name: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The first characters of `api_key`: `svc_sk_live_` in live mode, `svc_sk_test_` in test mode. */
            readonly key_prefix: string;
            /** @description The last four characters of `api_key`, preceded by an ellipsis. */
            readonly key_hint: string;
            /**
             * @description The signature algorithm for requests (docs/rules/signing.md).
             * @enum {string}
             */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /**
             * @description Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`.
             * @enum {string}
             */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            /** @description The scopes granted to the key. For a key bound to agents or projects, only those that such a key can use. */
            readonly scopes: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            /** @description UUIDs of the agents that the key is bound to. A key bound to agents can only access projects whose `agent_ids` include one of them. Empty if the key is not bound to agents. */
            readonly agent_ids: readonly string[];
            /** @description Ids of the projects that the key is bound to. A key bound to projects can only access these projects. Empty if the key is not bound to projects. */
            readonly project_ids: readonly string[];
            /** @description The networks that requests must come from, as CIDR blocks. Empty if requests can come from any network. */
            readonly ip_allowlist: readonly string[];
            /** @description Maximum requests per minute. `null` means the standard limit for API keys. */
            readonly rate_limit_per_minute: number | null;
            /** @description Key-value pairs set by the developer. */
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
            /** @description The id of the developer who created the key. */
            readonly created_by: string;
            /** @description When the key expires. `null` if it never expires. */
            readonly expires_at: string | null;
            /** @description When the last request with the key was accepted. `null` if the key has never been used. */
            readonly last_used_at: string | null;
            /** @description The network that the last accepted request came from: a /24 for IPv4, a /64 for IPv6. Null if the key has never been used. */
            readonly last_used_ip: string | null;
            /** @description The id of the key that this key replaced. Null if it replaced none. */
            readonly rotated_from: string | null;
            /** @description The id of the key that replaced this key. Null if this key was not replaced. */
            readonly replaced_by: string | null;
            /** @description When the key stops working, if it was replaced with a grace period. Null in all other cases. */
            readonly grace_expires_at: string | null;
            readonly revoked_at: string | null;
            /** @description Why the key was revoked: `revoked` by a call, `rotated`, `compromised` or `personnel` if another key replaced it, `superseded` if that key was then replaced too, `revoked_by_mailed_link` through the URL in an email, `password_reset`, or `account_reclaimed` if the owner of the email address took over the account. Null if the key is not revoked. */
            readonly revoke_reason: string | null;
            /** @description The API key to send with each request. It is returned only in this response: store it now. */
            readonly api_key: string;
            /** @description The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key. */
            readonly api_secret: string | null;
        };
        /** @description A revoked API key. */
        readonly RevokedApiKey: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description The key's id, with the prefix `key_`. */
            readonly key_id: string;
            /** @description The key's name, set by the developer. */
            readonly name: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The first characters of `api_key`: `svc_sk_live_` in live mode, `svc_sk_test_` in test mode. */
            readonly key_prefix: string;
            /** @description The last four characters of `api_key`, preceded by an ellipsis. */
            readonly key_hint: string;
            /**
             * @description The signature algorithm for requests (docs/rules/signing.md).
             * @enum {string}
             */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /**
             * @description Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`.
             * @enum {string}
             */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            /** @description The scopes granted to the key. For a key bound to agents or projects, only those that such a key can use. */
            readonly scopes: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            /** @description UUIDs of the agents that the key is bound to. A key bound to agents can only access projects whose `agent_ids` include one of them. Empty if the key is not bound to agents. */
            readonly agent_ids: readonly string[];
            /** @description Ids of the projects that the key is bound to. A key bound to projects can only access these projects. Empty if the key is not bound to projects. */
            readonly project_ids: readonly string[];
            /** @description The networks that requests must come from, as CIDR blocks. Empty if requests can come from any network. */
            readonly ip_allowlist: readonly string[];
            /** @description Maximum requests per minute. `null` means the standard limit for API keys. */
            readonly rate_limit_per_minute: number | null;
            /** @description Key-value pairs set by the developer. */
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
            /** @description The id of the developer who created the key. */
            readonly created_by: string;
            /** @description When the key expires. `null` if it never expires. */
            readonly expires_at: string | null;
            /** @description When the last request with the key was accepted. `null` if the key has never been used. */
            readonly last_used_at: string | null;
            /** @description The network that the last accepted request came from: a /24 for IPv4, a /64 for IPv6. Null if the key has never been used. */
            readonly last_used_ip: string | null;
            /** @description The id of the key that this key replaced. Null if it replaced none. */
            readonly rotated_from: string | null;
            /** @description The id of the key that replaced this key. Null if this key was not replaced. */
            readonly replaced_by: string | null;
            /** @description When the key stops working, if it was replaced with a grace period. Null in all other cases. */
            readonly grace_expires_at: string | null;
            readonly revoked_at: string | null;
            /** @description Why the key was revoked: `revoked` by a call, `rotated`, `compromised` or `personnel` if another key replaced it, `superseded` if that key was then replaced too, `revoked_by_mailed_link` through the URL in an email, `password_reset`, or `account_reclaimed` if the owner of the email address took over the account. Null if the key is not revoked. */
            readonly revoke_reason: string | null;
            /** @description Contains `last_live_key` if a live key was revoked and the account now has no live key that works. Absent in all other cases. */
            readonly warnings?: readonly "last_live_key"[];
        };
        readonly RotateApiKeyRequest: {
            /** @description How long the old key continues to work, in seconds: 0 to 604,800. Default: 86,400. */
            readonly grace_period_seconds?: number;
            /**
             * @description Why the key is being replaced. A `compromised` key stops working immediately. Default: `scheduled`.
             * @enum {string}
             */
            readonly reason?: "scheduled" | "compromised" | "personnel";
            /** @description The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key. */
            readonly public_key?: string;
            /** @description An Ed25519 signature over the text `svc-ed25519-pop-v1\n<developer_id>\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`. */
            readonly proof?: string;
        };
        /** @description The old API key, which the new one replaces. */
        readonly ReplacedApiKey: {
            /** @description The key's id, with the prefix `key_`. */
            readonly key_id: string;
            /**
             * @description Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`.
             * @enum {string}
             */
            readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
            /** @description When the key stops working, if it was replaced with a grace period. Null in all other cases. */
            readonly grace_expires_at: string | null;
        };
        /** @description The properties of the new API key, its key pair, and the properties of the old API key that it replaces. The key pair is shown only once. */
        readonly RotatedApiKey: {
            readonly key: components["schemas"]["ApiKey"];
            /** @description The API key to send with each request. It is returned only in this response: store it now. */
            readonly api_key: string;
            /** @description The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key. */
            readonly api_secret: string | null;
            readonly previous_key: components["schemas"]["ReplacedApiKey"];
        };
        /** @description The old key pair, which the new one replaces. */
        readonly ReplacedAccountPair: {
            /** @description The key's id, with the prefix `key_`. */
            readonly key_id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly revoked_at: string;
        };
        /** @description The account's new key pair. It is shown only once. */
        readonly RotatedAccountPair: {
            /** @description The API key to send with each request. It is returned only in this response: store it now. */
            readonly api_key: string;
            /** @description The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key. */
            readonly api_secret: string | null;
            readonly key: components["schemas"]["ApiKey"];
            /** @description The old key pair, which the new one replaces. Null if the account had no key pair in this mode. */
            readonly previous_key: components["schemas"]["ReplacedAccountPair"] | null;
        };
        readonly TestSignatureRequest: {
            /**
             * @description The HTTP method of the request to sign.
             * @example POST
             */
            readonly method: string;
            /**
             * @description The full path with its query string, in printable ASCII.
             * @example /api/v1/svc/projects
             */
            readonly path: string;
            /** @description Unix time in seconds, as in `X-Timestamp`. */
            readonly timestamp: string;
            /** @description 16 to 128 printable ASCII characters, as in `X-Nonce`. Required for an Ed25519 key. */
            readonly nonce?: string;
            /** @description The request body as text. Default: empty. */
            readonly body?: string;
            /**
             * Format: uuid
             * @description The value of the `X-Agent-ID` header. Only signatures with Ed25519 keys cover it.
             */
            readonly agent_id?: string;
            /**
             * Format: uuid
             * @description The value of the `Idempotency-Key` header. Only signatures with Ed25519 keys cover it.
             */
            readonly idempotency_key?: string;
        };
        /** @description The canonical string for a request, and the values it was computed from. */
        readonly TestSignature: {
            /** @enum {string} */
            readonly object: "test_signature";
            readonly key_id: string;
            /** @enum {string} */
            readonly signature_alg: "hmac-sha256" | "ed25519";
            /** @description The canonical string, which is the text to sign. For an HMAC key, it does not contain the query string. */
            readonly canonical: string;
            /** @description Other canonical strings whose signatures are also accepted. For an HMAC key, this is the canonical string with the query string, if the path has one. Empty for an Ed25519 key. */
            readonly also_accepted: readonly string[];
            /** @description The SHA-256 of the request body in lowercase hexadecimal. */
            readonly body_hash: string;
            /** @description How far the timestamp is ahead of the server's clock, in seconds. Negative if the timestamp is behind. Requests with a difference of more than 30 seconds are rejected. */
            readonly skew_seconds: number;
        };
        /** @description Unknown parameters are ignored, as in OAuth 2.0 (RFC 6749, section 3.2). */
        readonly DeviceAuthorizationRequest: {
            /**
             * Format: visible
             * @description The name of the device, on one line. The API key of the device gets this name. Default: the first 100 characters of the value of `client_id`, or `A device` if `client_id` is absent.
             */
            readonly client_name?: string;
            /**
             * Format: visible
             * @description The OAuth client id, on one line. Choose any text: clients are not registered. Used as the device's name if `client_name` is absent.
             */
            readonly client_id?: string;
            /** @description The scopes of the device's API key, separated by spaces. Default: all scopes except `approvals:write`. In test mode, the default does not include `audit:read` either. */
            readonly scope?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description A device login in progress (RFC 8628, section 3.2). */
        readonly DeviceAuthorization: {
            /** @description The secret code that the device polls with. Do not show it to the user. */
            readonly device_code: string;
            /**
             * @description The code that the user enters at `verification_uri`.
             * @example BCDF-GHJK
             */
            readonly user_code: string;
            /** @description The page where the user approves the device. */
            readonly verification_uri: string;
            /** @description `verification_uri` with `user_code` filled in, for a QR code. */
            readonly verification_uri_complete: string;
            /** @description Lifetime of `device_code` and `user_code` in seconds. */
            readonly expires_in: number;
            /** @description Minimum time between two polls, in seconds. */
            readonly interval: number;
        };
        /** @description Unknown parameters are ignored, as in OAuth 2.0 (RFC 6749, section 3.2). */
        readonly DeviceTokenRequest: {
            /** @enum {string} */
            readonly grant_type: "urn:ietf:params:oauth:grant-type:device_code";
            /** @description The `device_code` from `POST /developers/oauth/device`. */
            readonly device_code: string;
            /** @description Ignored. Accepted because OAuth clients send it. */
            readonly client_id?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description The key pair issued to a device. It is shown only once. */
        readonly DeviceToken: {
            readonly developer_id: string;
            /** @description The API key to send with each request. It is returned only in this response: store it now. */
            readonly api_key: string;
            /** @description The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key. */
            readonly api_secret: string | null;
            readonly key: components["schemas"]["ApiKey"];
        };
        /** @description The key pair cannot be returned, for the reason in `error`, or the request is not valid HTTP. */
        readonly OAuthProblem: {
            /** @description URI reference of the problem type: `/errors/` followed by the `code`. */
            readonly type: string;
            /** @description Short human-readable summary. It is the same for all problems with the same code. */
            readonly title: string;
            /** @description HTTP status code. */
            readonly status: number;
            /** @description Human-readable explanation. The text can change; do not parse it. */
            readonly detail: string;
            /**
             * @description Stable error code. Use it, not the texts, to decide how to handle the error. More codes can be added, so handle unknown ones too.
             * @enum {string}
             */
            readonly code: "authentication_failed" | "email_not_verified" | "insufficient_scope" | "admin_review_required" | "reauthentication_required" | "cross_origin" | "not_found" | "developer_not_found" | "api_key_not_found" | "session_not_found" | "identity_not_found" | "project_not_found" | "link_not_found" | "service_not_found" | "operation_not_found" | "agent_not_found" | "agent_suspended" | "kya_required" | "policy_denied" | "policy_not_found" | "approval_not_found" | "cap_exceeded" | "payment_method_required" | "provider_not_linked" | "tos_acceptance_required" | "insufficient_funds" | "wallet_frozen" | "wallet_not_found" | "wallet_already_exists" | "live_wallet" | "network_not_enabled" | "fiat_account_not_found" | "bank_link_not_found" | "conversion_not_found" | "quote_expired" | "kyb_required" | "provider_not_configured" | "unsupported_pair" | "network_unavailable" | "kill_switch_not_found" | "event_not_found" | "webhook_not_found" | "payment_not_found" | "not_refundable" | "link_in_use" | "invalid_state" | "not_upgradable" | "provider_error" | "provider_unavailable" | "variable_not_found" | "method_not_allowed" | "already_exists" | "conflict" | "account_changed" | "version_conflict" | "secret_already_issued" | "idempotency_in_flight" | "signature_replayed" | "payload_too_large" | "misdirected_request" | "expectation_failed" | "unsupported_media_type" | "validation_error" | "invalid_token" | "idempotency_conflict" | "rate_limited" | "headers_too_large" | "bad_request" | "request_timeout" | "internal_error" | "service_unavailable" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";
            /** @description The request id, also sent in the `X-Request-Id` header. Include it when you contact support. */
            readonly request_id: string;
            /** @description Whether the same request can succeed later. If true, the response includes the `Retry-After` header. */
            readonly retryable: boolean;
            /** @description The invalid values, at most 50. Empty if the problem is not caused by invalid values. */
            readonly errors: readonly components["schemas"]["InvalidField"][];
            readonly decision?: components["schemas"]["Decision"];
            readonly next_action?: components["schemas"]["NextAction"];
            /** @description The existing wallet. Only `wallet_already_exists` has it. */
            readonly wallet_id?: string;
            /** @enum {string} */
            readonly error: "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";
        };
        /** @description A device login that waits to be approved or denied. */
        readonly PendingDeviceLogin: {
            /** @enum {string} */
            readonly object: "device_login";
            /** @enum {string} */
            readonly status: "pending";
            /** @description The name of the device, which the device chooses itself. */
            readonly client_name: string;
            /** @description The scopes that the device requests. Empty for the default: all scopes except `approvals:write` and, for a test key, `audit:read`. */
            readonly scopes: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            /** @description The network that started the device login: an IPv4 address, or the /64 of an IPv6 address. Null if it is unknown. */
            readonly network: string | null;
            /** @description The `User-Agent` header of the device, which the device chooses itself. Null if it sent none. */
            readonly user_agent: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
        };
        /** @description Unknown parameters are ignored, as in OAuth 2.0 (RFC 6749, section 3.2). */
        readonly DeviceApprovalRequest: {
            /**
             * @description The code shown on the device, in uppercase or lowercase.
             * @example BCDF-GHJK
             */
            readonly user_code: string;
            /** @description Whether to approve (`true`) or deny (`false`) the device. Default: true. */
            readonly approve?: boolean;
            /** @description The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`. */
            readonly password?: string;
            /**
             * Format: totp
             * @description The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
             * @example 123456
             */
            readonly totp_code?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description A device login that was approved or denied. */
        readonly DeviceLogin: {
            /** @enum {string} */
            readonly object: "device_login";
            /** @enum {string} */
            readonly status: "approved" | "denied";
            /** @description The name of the device. */
            readonly client_name: string;
            /** @description The API key that was created for the device. Null if the device was denied. */
            readonly key: components["schemas"]["ApiKey"] | null;
        };
        readonly GitHubOAuthRequest: {
            /** @description The value of the `code` parameter in the URL to which GitHub redirected the browser. */
            readonly code: string;
            /** @description The `state` from the response of `POST /developers/oauth/github/state`. Send it together with the cookie from the same response. */
            readonly state: string;
            /** @description GitHub's redirect URL, as configured on this server. Optional, because the server knows it. If sent, it must equal the configured URL. */
            readonly redirect_uri?: string;
            /** @description The PKCE code verifier. Optional, because the server derives it. If sent, it must equal the derived verifier. */
            readonly code_verifier?: string;
        };
        readonly IdentitySession: {
            /** @description The access token of the session. Send it as `Authorization: Bearer <token>`. */
            readonly access_token: string;
            /** @description The token for `POST /developers/token/refresh`. It can be used once; each refresh returns a new one. */
            readonly refresh_token: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
            /** @description Lifetime of the access token in seconds. */
            readonly expires_in: number;
            /** @description Lifetime of the refresh token in seconds. */
            readonly refresh_expires_in: number;
            readonly developer: components["schemas"]["Developer"];
            /** @description Whether this login created the account. */
            readonly created: boolean;
            /** @description Whether this login linked the identity provider to an existing account. */
            readonly linked: boolean;
        };
        readonly IdentityMfaRequired: {
            /**
             * @description Always true: the account requires a second factor.
             * @enum {boolean}
             */
            readonly mfa_required: true;
            /** @description The token to send to `POST /developers/login/totp`. Valid for five minutes and five attempts. */
            readonly mfa_token: string;
            /** @description The types of codes that are accepted as the second factor. */
            readonly methods: readonly ("totp" | "recovery_code")[];
            /** @description Whether this login created the account. */
            readonly created: boolean;
            /** @description Whether this login linked the identity provider to an existing account. */
            readonly linked: boolean;
        };
        /** @description The tokens of a new session, or a request for the second factor. */
        readonly IdentityLoginResult: components["schemas"]["IdentitySession"] | components["schemas"]["IdentityMfaRequired"];
        readonly GitHubAuthorization: {
            /** @description The OAuth `state` value, which GitHub returns when it redirects the browser. Send it to `POST /developers/oauth/github`. Valid once, until `expires_at`, and only with the cookie that this response sets. */
            readonly state: string;
            /** @description The GitHub URL to open in the browser. */
            readonly authorization_url: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
        };
        readonly GoogleOAuthRequest: {
            /** @description A Google ID token (JWT) issued for the client id that is configured on this server. */
            readonly id_token: string;
            /** @description The nonce that was sent to Google with the login request. If set, it must equal the `nonce` claim of the ID token. */
            readonly nonce?: string;
        };
        /** @description A GitHub or Google account with which the developer can log in. */
        readonly Identity: {
            /** @enum {string} */
            readonly object: "identity";
            /** @enum {string} */
            readonly provider: "github" | "google";
            /** @description The email address that the provider reported at the last login. */
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
        readonly IdentityList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Identity"][];
            /** @enum {boolean} */
            readonly has_more: false;
        };
        readonly LoginProofRequest: {
            /** @description The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`. */
            readonly password?: string;
            /**
             * Format: totp
             * @description The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
             * @example 123456
             */
            readonly totp_code?: string;
        };
        readonly SecondFactorLoginRequest: {
            /** @description The `mfa_token` returned by the login. Default: the token in the cookie that a browser's login with an identity provider sets. */
            readonly mfa_token?: string;
            /** @description The six-digit code from the authenticator app, or a recovery code. */
            readonly code: string;
        };
        /** @description The tokens of a dashboard session. */
        readonly Session: {
            /** @description The access token of the session. Send it as `Authorization: Bearer <token>`. */
            readonly access_token: string;
            /** @description The token for `POST /developers/token/refresh`. It can be used once; each refresh returns a new one. */
            readonly refresh_token: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
            /** @description Lifetime of the access token in seconds. */
            readonly expires_in: number;
            /** @description Lifetime of the refresh token in seconds. */
            readonly refresh_expires_in: number;
            readonly developer: components["schemas"]["Developer"];
        };
        readonly DeveloperLoginRequest: {
            /**
             * Format: email
             * @description An email address. Stored in lowercase, with an international domain as Punycode.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description 12 to 128 characters after Unicode NFC normalization. NUL is not allowed. */
            readonly password: string;
            /** @description The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned. Required after five failed logins for this email address from one network within 15 minutes. */
            readonly captcha_token?: string;
            /**
             * Format: totp
             * @description The six-digit code from the authenticator app. Ignored for accounts without a second factor.
             * @example 123456
             */
            readonly totp_code?: string;
            /** @description The token from the verification email, to verify the address and log in with one call. Fails with `invalid_token` if the token is invalid, or belongs to a signup with a different password, unless the address is verified already. */
            readonly verify_token?: string;
        };
        /** @description The password was correct, but the login requires a second factor. No session exists yet. */
        readonly MfaRequired: {
            /**
             * @description Always true: the account requires a second factor.
             * @enum {boolean}
             */
            readonly mfa_required: true;
            /** @description The token to send to `POST /developers/login/totp`. Valid for five minutes and five attempts. */
            readonly mfa_token: string;
            /** @description The types of codes that are accepted as the second factor. */
            readonly methods: readonly ("totp" | "recovery_code")[];
        };
        readonly LoginResult: components["schemas"]["Session"] | components["schemas"]["MfaRequired"];
        readonly LogoutRequest: {
            /** @description The refresh token. Default: the token in the cookie. */
            readonly refresh_token?: string;
            /** @description Whether to end all of the developer's sessions. Default: false. */
            readonly all_sessions?: boolean;
        };
        readonly RefreshSessionRequest: {
            /** @description The refresh token. Default: the token in the cookie. */
            readonly refresh_token?: string;
        };
        /** @description A dashboard session of the developer. */
        readonly DashboardSession: {
            /** @enum {string} */
            readonly object: "session";
            /** @description The session's id, with the prefix `ses_`. */
            readonly session_id: string;
            /** @description Whether this is the session that made the request. */
            readonly current: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When the session's tokens were last refreshed. Equal to `created_at` until the first refresh.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly last_used_at: string;
            /** @description The IPv4 address or IPv6 /64 network of the last login or refresh. */
            readonly ip: string | null;
            /** @description The `User-Agent` of the last login or refresh. */
            readonly user_agent: string | null;
        };
        readonly DashboardSessionList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["DashboardSession"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        /** @description A secret for an authenticator app. */
        readonly TotpEnrollment: {
            /** @description The TOTP secret in Base32, for six-digit SHA-1 codes that change every 30 seconds. Shown only once. */
            readonly secret: string;
            /** @description The TOTP secret as an `otpauth` URL, for a QR code. */
            readonly otpauth_url: string;
        };
        readonly TotpConfirmRequest: {
            /**
             * Format: totp
             * @description The six-digit code from the authenticator app. Spaces and hyphens are ignored.
             * @example 123456
             */
            readonly code: string;
            /** @description The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`. */
            readonly password?: string;
            /**
             * Format: totp
             * @description The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
             * @example 123456
             */
            readonly totp_code?: string;
        };
        readonly RecoveryCodes: {
            /** @description Ten recovery codes, each valid once. They are returned only in this response: store them now. */
            readonly recovery_codes: readonly string[];
        };
        readonly TotpDisableRequest: {
            /** @description The six-digit code from the authenticator app, or a recovery code. */
            readonly code: string;
        };
        readonly ProviderKeyVerification: {
            /**
             * @description Result of the check. `verified`: the vendor accepted the keys. `failed`: the vendor rejected them. `unreachable`: the vendor did not respond. `unverified`: the keys were not checked.
             * @enum {string}
             */
            readonly status: "verified" | "failed" | "unverified" | "unreachable";
            readonly checked_at: string | null;
            /** @description Why the check failed. Null unless `status` is `failed` or `unreachable`. Does not include the vendor's response. */
            readonly detail: string | null;
        };
        readonly ProviderKeys: {
            /** @enum {string} */
            readonly provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            /** @enum {string} */
            readonly kind: "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            /** @enum {boolean} */
            readonly configured: true;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description A name for this set of provider keys, set by the developer. Null if no name was set. */
            readonly label: string | null;
            /** @description Names of the fields in `credentials` that were saved. Their values are never returned. */
            readonly fields_configured: readonly string[];
            /** @description Number of times that the keys for this provider have been saved or deleted, counted separately for each mode. */
            readonly version: number;
            readonly verification: components["schemas"]["ProviderKeyVerification"];
            /** @description When the keys expire at the vendor, as entered by the developer. Null if no time was entered. */
            readonly expires_at: string | null;
            /** @description When Purser last used the keys. Updated at most once per minute. Null if the keys were not used since they were saved. */
            readonly last_used_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            /** @description The id of the developer or API key that saved the keys. */
            readonly updated_by: string;
            /** @description The hash of the newest entry in the `provider_keys` audit chain. Store this hash. If a later export of the chain does not contain it, the chain was rewritten. */
            readonly audit_head: string;
        };
        readonly NoProviderKeys: {
            /** @enum {string} */
            readonly provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            /** @enum {string} */
            readonly kind: "bundler" | "key_management" | "custody" | "stablecoin_payments" | "solana_access";
            /** @enum {boolean} */
            readonly configured: false;
        };
        readonly ProviderKeyStatus: components["schemas"]["ProviderKeys"] | components["schemas"]["NoProviderKeys"];
        readonly ProviderKeysList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["ProviderKeyStatus"][];
            /** @enum {boolean} */
            readonly has_more: false;
        };
        readonly ProviderKeyRequest: {
            /** @description The fields depend on the provider. `pimlico`: `api_key`; optional `sponsorship_policy_id`, `chains`. `turnkey`: `organization_id`, `api_public_key`, `api_private_key`; optional `base_url`. `fireblocks`: `api_key`, `api_secret_pem`; optional `vault_account_id`, `base_url`. `bridge`: `api_key`; optional `webhook_public_key`, `environment`. `helius`: `api_key`; optional `rpc_url`. Each value is at most 8 KiB. White space and quotes around a credential, and the indentation of a PEM file, are removed; the characters `\n` in it become line breaks. URLs must point to the vendor's own hosts. */
            readonly credentials: {
                /** Format: credential */
                readonly api_key?: string;
                /** Format: credential */
                readonly api_public_key?: string;
                /** Format: credential */
                readonly api_private_key?: string;
                /**
                 * Format: not-blank
                 * @description Text without NUL characters.
                 */
                readonly api_secret_pem?: string;
                /** Format: credential */
                readonly organization_id?: string;
                /** Format: credential */
                readonly vault_account_id?: string;
                /** Format: credential */
                readonly sponsorship_policy_id?: string;
                /** @description Names or CAIP-2 ids of the networks that the keys are used for. */
                readonly chains?: readonly string[];
                /**
                 * Format: not-blank
                 * @description Text without NUL characters.
                 */
                readonly webhook_public_key?: string;
                /** @enum {string} */
                readonly environment?: "production" | "sandbox";
                /**
                 * Format: display
                 * @description The vendor's API URL. Default: the vendor's public API.
                 */
                readonly base_url?: string;
                /**
                 * Format: display
                 * @description The vendor's RPC URL. Default: the vendor's public endpoint.
                 */
                readonly rpc_url?: string;
            };
            /**
             * @description The mode of the keys. Must be the caller's mode. Default: the caller's mode.
             * @enum {string}
             */
            readonly mode?: "live" | "test";
            /**
             * Format: display
             * @description A name for this set of provider keys, without NUL characters. Default: no name.
             */
            readonly label?: string | null;
            /**
             * @description Whether to verify the keys with one read-only call to the vendor. `report`: the keys are saved, and the result is in `verification.status`. `required`: the keys are saved only if the vendor accepts them. `skip`: the vendor is not called. Default: `report`.
             * @enum {string}
             */
            readonly verify?: "report" | "required" | "skip";
            /**
             * Format: date-time
             * @description When the keys expire at the vendor. The developer receives reminder emails 14 days, 7 days and 1 day before.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string | null;
            /** @description The current `version` of the keys, or 0 if no keys are configured. Any other value fails with `version_conflict`. Default: the version is not checked. */
            readonly expected_version?: number;
        };
        readonly RemovedProviderKeys: {
            /** @enum {string} */
            readonly provider: "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
            /** @enum {boolean} */
            readonly configured: false;
            /** @description When the keys were deleted. Null if no keys were configured. */
            readonly deleted_at: string | null;
            /** @description The id of the audit entry for the deletion. Null if no keys were configured. */
            readonly audit_id: string | null;
        };
        readonly AuditChainBreak: {
            /** @description The sequence number of the first invalid entry. */
            readonly sequence: number;
            /**
             * @description `hash_mismatch`: the entry's hash does not match its content. `prev_hash_mismatch`: `prev_hash` is not the hash of the previous entry. `sequence_gap`: the sequence numbers of two neighboring entries are not consecutive. `missing_entry`: an entry that was part of the chain is no longer stored.
             * @enum {string}
             */
            readonly reason: "hash_mismatch" | "prev_hash_mismatch" | "sequence_gap" | "missing_entry";
            /** @description The value that was expected: a hash, a sequence number or an entry id, depending on `reason`. */
            readonly expected: string | null;
            /** @description The value that was found instead. Null if nothing was found. */
            readonly actual: string | null;
        };
        readonly AuditAnchorStatus: {
            /**
             * @description Result of comparing the chain with the newest checkpoint in the anchor, which is external storage. A checkpoint is a signed record of the chain's length and last hash. `matched`: the signature is valid, and the chain contains the recorded hash at the recorded position. `mismatch`: the signature is invalid, the chain does not contain the recorded hash at the recorded position, or the checkpoint is missing or outdated. `pending`: no checkpoint has been stored in the anchor yet. `unavailable`: the anchor did not respond.
             * @enum {string}
             */
            readonly status: "matched" | "mismatch" | "pending" | "unavailable";
            /** @enum {string} */
            readonly type: "signed_checkpoint";
            /** @description Number of chain entries that the newest checkpoint covers. Null if the anchor returned no checkpoint. */
            readonly anchored_sequence: number | null;
            /** @description The hash of the last chain entry that the newest checkpoint covers. Null if the anchor returned no checkpoint. */
            readonly anchored_hash: string | null;
            /** @description When the newest checkpoint was created. Null if the anchor returned no checkpoint. */
            readonly anchored_at: string | null;
            /** @description Location of the newest checkpoint in the anchor's storage. Null if the anchor returned no checkpoint. */
            readonly reference: string | null;
            /** @description Number of chain entries after the newest checkpoint. */
            readonly unanchored_entries: number;
        };
        readonly AuditVerification: {
            /** @description True if `broken_at` is null and `anchor.status` is `matched` or `pending`. False if `broken_at` is set or `anchor.status` is `mismatch`. Null if `broken_at` is null but the anchor did not respond. */
            readonly valid: boolean | null;
            /** @enum {string} */
            readonly chain: "tenant" | "provider_keys";
            /** @description Number of entries checked. */
            readonly entries_checked: number;
            /** @description Sequence number of the first entry checked. Null if no entry was checked. */
            readonly first_sequence: number | null;
            /** @description Sequence number of the last entry checked. Null if no entry was checked. */
            readonly last_sequence: number | null;
            /** @description The `prev_hash` of the first entry, which is 64 zeros. */
            readonly genesis_hash: string;
            /** @description The hash of the last entry checked. 64 zeros if the chain has no entries. */
            readonly head_hash: string;
            readonly broken_at: components["schemas"]["AuditChainBreak"] | null;
            readonly anchor: components["schemas"]["AuditAnchorStatus"];
            /** @description Whether the newest checkpoint in the anchor covers entries that are missing from the chain. */
            readonly truncation_detected: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly checked_at: string;
        };
        readonly PaymentMethod: {
            /** @description The payment method's id at the payment processor, with the prefix `pm_`. */
            readonly id: string;
            /** @description Type of the payment method, for example `card`. */
            readonly type: string;
            /** @description Card network, for example `visa`. */
            readonly brand?: string;
            /** @description Last four digits of the card number. */
            readonly last4?: string;
            /** @description Expiry month, 1 to 12. */
            readonly exp_month?: number;
            /** @description Expiry year, four digits. */
            readonly exp_year?: number;
        };
        readonly ProjectLink: {
            readonly provider: string;
            /**
             * @description Status of the link to the provider. `pending_auth` until a user completes the link, then `linked`, `failed` or `expired`.
             * @enum {string}
             */
            readonly status: "pending_auth" | "linked" | "failed" | "expired" | "revoked";
        };
        readonly ProjectService: {
            readonly service_id: string;
            /** @description The service's id in the catalog, `provider/slug`, for example `neon/postgres`. */
            readonly service: string;
            /** @enum {string} */
            readonly status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
        };
        readonly Project: {
            /** @enum {string} */
            readonly object: "project";
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The project's name. Unique per account and mode, ignoring case. */
            readonly name: string;
            /** @description The name converted to a DNS label of at most 63 characters. Not unique. */
            readonly slug: string;
            readonly description: string | null;
            /**
             * @description Status of the project. Services can only be added to an `active` project. `delete_failed`: a provider could not delete a resource; retry the deletion.
             * @enum {string}
             */
            readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            /**
             * @description Maximum total of the project's charges per calendar month (UTC), in US dollars.
             * @example 100.00
             */
            readonly monthly_cap: components["schemas"]["Amount"];
            /** @enum {string} */
            readonly currency: "usd";
            /**
             * @description What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.
             * @enum {string}
             */
            readonly cap_behavior: "block" | "require_approval";
            /** @description Monthly caps for individual providers. They apply in addition to `monthly_cap`. */
            readonly provider_caps: {
                readonly [key: string]: components["schemas"]["Amount"];
            };
            /** @description Amounts spent, reserved and remaining in the current month. */
            readonly usage: {
                /**
                 * Format: date-time
                 * @description Start of the current calendar month (UTC).
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_start: string;
                /**
                 * Format: date-time
                 * @description Start of the next calendar month (UTC).
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_end: string;
                /**
                 * @description Total of this month's charges whose amounts are final, excluding failed, released and refunded ones.
                 * @example 100.00
                 */
                readonly spent: components["schemas"]["Amount"];
                /**
                 * @description Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed.
                 * @example 100.00
                 */
                readonly reserved: components["schemas"]["Amount"];
                /**
                 * @description `monthly_cap` minus `spent` and `reserved`, but never negative.
                 * @example 100.00
                 */
                readonly remaining: components["schemas"]["Amount"];
            };
            readonly billing: {
                /** @description The id of the project's customer at the payment processor. The customer is created when a payment method is first attached or required; null until then. */
                readonly customer_id: string | null;
                /**
                 * @description Billing status of the project. `none`: the project has no customer yet. `requires_payment_method`: the project has no payment method. `requires_action`: the payment method must still be confirmed by its owner or the bank. `ready`: the payment method can be charged. `past_due`: an invoice could not be paid. Services that cost money cannot be added until it is paid; attach another payment method to pay it.
                 * @enum {string}
                 */
                readonly status: "none" | "requires_payment_method" | "requires_action" | "ready" | "past_due";
                /** @description The payment method that is charged for the project's services. Null if the project has none. */
                readonly default_payment_method: components["schemas"]["PaymentMethod"] | null;
            };
            /** @description The project's environments. They cannot be changed after the project is created. */
            readonly environments: readonly string[];
            /** @description The project's connections to provider accounts (links), one per provider: the link with the status `linked` or, if there is none, the newest link. Revoked links are not included. */
            readonly links: readonly components["schemas"]["ProjectLink"][];
            /** @description The project's services, newest first. Removed and failed services are not included. */
            readonly services: readonly components["schemas"]["ProjectService"][];
            /** @description UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project. */
            readonly agent_ids: readonly string[];
            /** @description A policy that applies to the project, beside those that name it. Null if there is none. */
            readonly policy_id: string | null;
            /** @description Key-value pairs set by the caller. */
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
            /** @description When the project was deleted. Always null in responses; set in the `project.deleted` event. */
            readonly deleted_at: string | null;
        };
        readonly ProjectList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Project"][];
            /** @description Absent if the call has `cursor`. */
            readonly page?: number;
            readonly per_page: number;
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        /**
         * Format: decimal
         * @example 100.00
         */
        readonly AmountInput: string | number;
        readonly ProjectCreateRequest: {
            /**
             * Format: visible
             * @description 1 to 100 characters on one line, without leading or trailing spaces. Unique per account and mode, ignoring case.
             * @example My App
             */
            readonly name: string;
            /**
             * Format: display
             * @description Up to 1,000 characters without NUL. `null` means no description.
             */
            readonly description?: string | null;
            /** @description An amount in US dollars with up to two decimal places, as a string or a JSON number. The maximum total of the project's charges per calendar month (UTC). Default: 100.00. */
            readonly monthly_cap?: components["schemas"]["AmountInput"];
            /** @enum {string} */
            readonly currency?: "usd";
            /**
             * @description What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.
             * @enum {string}
             */
            readonly cap_behavior?: "block" | "require_approval";
            /** @description Monthly caps for individual providers, in US dollars. They apply in addition to `monthly_cap`. Default: none. */
            readonly provider_caps?: {
                /** @description An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider. */
                readonly neon?: components["schemas"]["AmountInput"];
                /** @description An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider. */
                readonly supabase?: components["schemas"]["AmountInput"];
            };
            /** @description Names of the project's environments. They cannot be changed later. Default: `development` and `production`. */
            readonly environments?: readonly string[];
            /** @description UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project. */
            readonly agent_ids?: readonly string[];
            /** @description The id of a policy that applies to the project, beside those that name it. `null`: none. */
            readonly policy_id?: string | null;
            /** @description Up to 50 key-value pairs that you choose. Keys have up to 40 characters, values up to 500. Default: `{}`. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly DeletionEffect: {
            readonly service_id: string;
            /**
             * @description What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider. `failed`: it could not be deleted.
             * @enum {string}
             */
            readonly effect: "destroyed" | "detached" | "failed";
            /** @description Why the resource could not be deleted. Null unless `effect` is `failed`. */
            readonly detail: string | null;
        };
        readonly ProjectDeletion: {
            readonly project_id: string;
            /**
             * @description Status of the deletion. `deleting` until all services are removed. Repeat the request to check the progress.
             * @enum {string}
             */
            readonly status: "deleting" | "deleted";
            /** @description What happens to each of the project's services, oldest first. */
            readonly services: readonly components["schemas"]["DeletionEffect"][];
            /** @description The id of the project's customer at the payment processor, if it stays until the project's last invoice is paid or void. Otherwise null. */
            readonly kept_customer_id: string | null;
        };
        /** @description Absent fields are unchanged, and `null` clears a nullable field. `provider_caps` and `metadata` are merged with their current values. */
        readonly ProjectUpdateRequest: {
            /**
             * Format: visible
             * @description 1 to 100 characters on one line, without leading or trailing spaces. Unique per account and mode, ignoring case.
             * @example My App
             */
            readonly name?: string;
            /**
             * Format: display
             * @description Up to 1,000 characters without NUL. `null` means no description.
             */
            readonly description?: string | null;
            /** @description An amount in US dollars with up to two decimal places, as a string or a JSON number. The maximum total of the project's charges per calendar month (UTC). */
            readonly monthly_cap?: components["schemas"]["AmountInput"];
            /**
             * @description What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.
             * @enum {string}
             */
            readonly cap_behavior?: "block" | "require_approval";
            /** @description Monthly caps for individual providers, merged with the current caps. Set a provider to null to remove its cap, or `provider_caps` to null to remove all caps. */
            readonly provider_caps?: {
                /**
                 * Format: decimal
                 * @description An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider.
                 * @example 100.00
                 */
                readonly neon?: string | number | null;
                /**
                 * Format: decimal
                 * @description An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider.
                 * @example 100.00
                 */
                readonly supabase?: string | number | null;
            } | null;
            /** @description UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project. */
            readonly agent_ids?: readonly string[] | null;
            /** @description The id of a policy that applies to the project, beside those that name it. `null`: none. */
            readonly policy_id?: string | null;
            /**
             * @description Lifts the suspension of a project that a kill switch suspended. Requires a dashboard session.
             * @enum {string}
             */
            readonly status?: "active";
            /** @description Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update. */
            readonly metadata?: {
                readonly [key: string]: string | null;
            } | null;
        };
        readonly Charge: {
            readonly charge_id: string;
            /** @description The id of the service that the charge is for. Null if the charge is not for a service. */
            readonly service_id: string | null;
            /** @description The provider of the service. Null for a payment, and for a refund. */
            readonly provider: string | null;
            /** @enum {string} */
            readonly type: "subscription" | "usage" | "one_time" | "refund" | "adjustment";
            readonly description: string;
            /**
             * @description The amount of the charge in US dollars. Negative for a refund.
             * @example 100.00
             */
            readonly amount: components["schemas"]["Amount"];
            /** @enum {string} */
            readonly currency: "usd";
            /**
             * @description Status of the charge. `reserved`: the month has not ended yet, or the provider has not reported the use yet; for a payment, the amount is held. `succeeded`: the amount is final. `released`: the service could not be added, or the payment was voided, was canceled or has expired. `pending`: the amount is final, and is or will be on an invoice that is not paid yet. `failed`: the invoice could not be paid; it is paid again when another payment method is attached. `refunded`: for a payment, all of it was refunded.
             * @enum {string}
             */
            readonly status: "reserved" | "pending" | "succeeded" | "failed" | "released" | "refunded" | "disputed";
            /** @description The UUID of the agent that caused the charge. Null if the developer caused it. */
            readonly agent_id: string | null;
            /** @description The id of the payment for the charge. Null until the charge is paid. For a charge that Purser bills, the id of its invoice at the payment processor; for a refund, of the refunded charge there. For an agent's payment, equal to `charge_id`. */
            readonly payment_id: string | null;
            /** @description Who bills the amount. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method. Null for a payment, which a wallet has paid. */
            readonly billed_by: ("vendor" | "purser") | null;
            /** @description Whether `amount` is an estimate, because the provider did not report the metered use. Always false while the charge is `reserved`. */
            readonly estimated: boolean;
            /**
             * Format: date-time
             * @description Start of the calendar month (UTC) of the charge, or the time at which the plan was changed to that of the charge.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly period_start: string;
            /**
             * Format: date-time
             * @description End of the month, or the time at which the service was removed or its plan changed.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly period_end: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
        };
        readonly ProjectOverview: {
            readonly project_id: string;
            /**
             * @description Status of the project. Services can only be added to an `active` project. `delete_failed`: a provider could not delete a resource; retry the deletion.
             * @enum {string}
             */
            readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
            readonly cap: {
                /** @example 100.00 */
                readonly monthly_cap: components["schemas"]["Amount"];
                /** @enum {string} */
                readonly currency: "usd";
                /**
                 * @description Total of this month's charges whose amounts are final, excluding failed, released and refunded ones.
                 * @example 100.00
                 */
                readonly spent: components["schemas"]["Amount"];
                /**
                 * @description Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed.
                 * @example 100.00
                 */
                readonly reserved: components["schemas"]["Amount"];
                /**
                 * @description `monthly_cap` minus `spent` and `reserved`, but never negative.
                 * @example 100.00
                 */
                readonly remaining: components["schemas"]["Amount"];
                /** @description Percentage of the cap that is spent or reserved, truncated to one decimal place. */
                readonly percent_used: number;
                /**
                 * @description What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.
                 * @enum {string}
                 */
                readonly behavior: "block" | "require_approval";
                /**
                 * Format: date-time
                 * @description Start of the current calendar month (UTC).
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_start: string;
                /**
                 * Format: date-time
                 * @description Start of the next calendar month (UTC).
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_end: string;
                /**
                 * @description Expected total at the end of the month: `spent` plus `reserved`, because services reserve the whole month in advance.
                 * @example 100.00
                 */
                readonly forecast: components["schemas"]["Amount"];
            };
            /** @description Providers that have charges this month, a cap, or a service. */
            readonly by_provider: readonly {
                readonly provider: string;
                /** @description Monthly cap for the provider. Null if the provider has no cap. */
                readonly cap: components["schemas"]["Amount"] | null;
                /**
                 * @description Total of this month's charges whose amounts are final, excluding failed, released and refunded ones.
                 * @example 100.00
                 */
                readonly spent: components["schemas"]["Amount"];
                /**
                 * @description Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed.
                 * @example 100.00
                 */
                readonly reserved: components["schemas"]["Amount"];
            }[];
            /** @description The ten newest charges, regardless of month and status. */
            readonly recent_charges: readonly components["schemas"]["Charge"][];
            /** @description The project's services, newest first. Removed and failed services are not included. */
            readonly services: readonly components["schemas"]["ProjectService"][];
            /** @description The project's connections to provider accounts (links), one per provider: the link with the status `linked` or, if there is none, the newest link. Revoked links are not included. */
            readonly links: readonly components["schemas"]["ProjectLink"][];
            /** @description Actions that a user must take. */
            readonly pending_actions: readonly {
                /** @enum {string} */
                readonly type: "open_url" | "attach_payment_method" | "confirm_payment_method";
                readonly reason: string;
                /** @description The provider to link. Only included for the `open_url` action. */
                readonly provider?: string;
                /** @description URL path of the provider link. Only included for the `open_url` action. While the provider link is pending, a `GET` request to this path returns the `url` to open, if the caller is allowed to link providers. */
                readonly poll_url?: string;
            }[];
            /** @description Warnings about the cap. `cap_nearly_reached`: at least 80 percent of the cap is used. `forecast_over_cap`: `forecast` exceeds the cap, because the services that are in place cost more. */
            readonly warnings: readonly ("cap_reached" | "cap_nearly_reached" | "forecast_over_cap")[];
            /** @description Commands that resolve the pending actions. Always empty in this API version. */
            readonly next_steps: readonly string[];
        };
        readonly ProjectDeletionPreview: {
            /** @enum {string} */
            readonly object: "project_deletion_preview";
            readonly project_id: string;
            readonly name: string;
            /** @description What happens to each of the project's services, oldest first. */
            readonly services: readonly components["schemas"]["DeletionEffect"][];
            /** @description What will still be billed if the project is deleted now, and what Purser bills and is not paid yet. An item is `estimated` if the provider bills metered use. */
            readonly charges: readonly {
                /** @description The id of the service that the charge is for. Null if the charge is not for a service. */
                readonly service_id: string | null;
                /** @description The provider of the service. Null for a payment, and for a refund. */
                readonly provider: string | null;
                readonly description: string;
                /**
                 * @description The amount of the charge in US dollars. Negative for a refund.
                 * @example 100.00
                 */
                readonly amount: components["schemas"]["Amount"];
                /** @enum {string} */
                readonly currency: "usd";
                /** @description Who bills the amount. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method. Null for a payment, which a wallet has paid. */
                readonly billed_by: ("vendor" | "purser") | null;
                /** @description Whether `amount` is an estimate, because the provider did not report the metered use. Always false while the charge is `reserved`. */
                readonly estimated: boolean;
                /**
                 * Format: date-time
                 * @description Start of the calendar month (UTC) of the charge, or the time at which the plan was changed to that of the charge.
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_start: string;
                /**
                 * Format: date-time
                 * @description End of the month, or the time at which the service was removed or its plan changed.
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly period_end: string;
            }[];
            /** @description Number of variables that will be deleted. */
            readonly variables: number;
        };
        readonly ChargeList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Charge"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly EnvBundle: {
            /** @enum {string} */
            readonly object: "env_bundle";
            readonly project_id: string;
            readonly environment: string;
            /** @description Number of times that the project's variables have been changed, in any environment. */
            readonly version: number;
            /** @description Values by variable name. `null` if `names_only` is true. */
            readonly env: {
                readonly [key: string]: string;
            } | null;
            /** @description The variables of the bundle, sorted by name. */
            readonly variables: readonly {
                readonly name: string;
                /** @enum {string} */
                readonly source: "project" | "service";
                /** @description The id of the service that provides the variable. Only included if `source` is `service`. */
                readonly service_id?: string;
                /** @description The version of the service's credential. Only included if `source` is `service`. */
                readonly credential_version?: number;
                /** @description Whether the value is a secret that tools should not display. */
                readonly sensitive: boolean;
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly updated_at: string;
            }[];
            /** @description SHA-256 of the canonical JSON (RFC 8785) of an object with the names and values of the returned variables, in lowercase hexadecimal. Includes the values even if `names_only` is true. */
            readonly fingerprint: string;
            /** @enum {string} */
            readonly fingerprint_alg: "sha256";
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly pulled_at: string;
            /** @description The id of the audit entry for this request. */
            readonly audit_id: string;
            /** @description Human-readable warnings about variables that are renamed, hidden by another variable with the same name, or requested but not set, and about services whose resource was not found at the provider; and `dotenv_unportable:NAME` for each value that some readers of `.env` files read otherwise. */
            readonly warnings: readonly string[];
        };
        readonly EnvComparisonRequest: {
            /** @description The environment to compare with. */
            readonly environment: string;
            /** @description At most 200 values by name, each of at most 32 KiB in UTF-8. They are compared and then forgotten. Names that differ only in case are different. */
            readonly values: {
                readonly [key: string]: string;
            };
            /** @description The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`. */
            readonly password?: string;
            /**
             * Format: totp
             * @description The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
             * @example 123456
             */
            readonly totp_code?: string;
        };
        readonly EnvComparison: {
            /** @enum {string} */
            readonly object: "env_comparison";
            readonly environment: string;
            /** @description Every name of the request and of the environment, sorted. */
            readonly names: readonly {
                readonly name: string;
                /**
                 * @description `same` and `differs`: whether the sent value is the one of the environment. `missing`: only the environment has the variable. `extra`: only the request has it.
                 * @enum {string}
                 */
                readonly result: "same" | "differs" | "missing" | "extra";
            }[];
        };
        /** @description A variable without its value. Only `GET /projects/{project_id}/env` returns values. */
        readonly Variable: {
            /** @enum {string} */
            readonly object: "variable";
            readonly name: string;
            /** @description Environments in which the variable has a value. */
            readonly environments: readonly string[];
            /** @description Whether the value is a secret that tools should not display. */
            readonly sensitive: boolean;
            /** @description Number of times the variable has been set, starting at 1. */
            readonly version: number;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
        };
        readonly VariableList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Variable"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly VariableSetRequest: {
            /** @description The value: UTF-8 text of at most 32 KiB without NUL characters. */
            readonly value: string;
            /** @description Environments in which to set the variable. Default: all environments of the project. */
            readonly environments?: readonly string[];
            /** @description Whether the value is a secret that tools should not display. Applies to the variable in all environments. Default: true. */
            readonly sensitive?: boolean;
        };
        readonly DeletedVariable: {
            /** @enum {string} */
            readonly object: "variable";
            readonly name: string;
            /** @description Environments in which the variable had a value. */
            readonly environments: readonly string[];
            /** @enum {boolean} */
            readonly deleted: true;
        };
        readonly UnitPrice: {
            /** @description The billed quantity, for example `compute_hours`. */
            readonly metric: string;
            /** @description Price per unit of the metric. */
            readonly unit_price: string;
        };
        readonly CatalogPlan: {
            /** @description Id of the plan within the service, for example `free`. */
            readonly plan: string;
            readonly pricing: {
                /**
                 * @description Type of the price. `paid`: a fixed price per billing interval. `usage`: billed by metered use.
                 * @enum {string}
                 */
                readonly type: "free" | "paid" | "component" | "usage";
                /** @description Fixed price per billing interval. */
                readonly amount?: string;
                /** @enum {string} */
                readonly currency?: "usd";
                /** @enum {string} */
                readonly interval?: "month" | "year";
                /** @description Prices for metered use. */
                readonly usage?: readonly components["schemas"]["UnitPrice"][];
            };
            /** @description The plan's limits. Each name ends with its unit, for example `storage_gb`. */
            readonly limits?: {
                readonly [key: string]: number;
            };
            /** @description Whether the plan requires a payment method that can be charged. */
            readonly payment_method_required: boolean;
            /** @description Estimated cost of one month of use. When a service is added, this amount or the fixed price, whichever is higher, is reserved. Reserved amounts count toward the caps of the project and the provider. */
            readonly preauthorization_amount?: string;
            /**
             * @description Who bills the plan. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method.
             * @enum {string}
             */
            readonly billed_by: "vendor" | "purser";
            /**
             * @description What a fixed price costs in a month in which the service was added, removed or changed its plan. `none`: the whole price. `daily`: a part for each started day.
             * @enum {string}
             */
            readonly proration: "none" | "daily";
            /** @description Ids of the plans that a service with this plan can switch to. */
            readonly allowed_updates: readonly string[];
        };
        readonly CatalogService: {
            /** @description Id of the service: `provider/slug`. */
            readonly service: string;
            /**
             * @description Kind of the service. `deployable`: adding the service creates a resource at the provider.
             * @enum {string}
             */
            readonly kind: "plan" | "deployable" | "addon";
            readonly description: string;
            /** @description Whether provisioning takes minutes. If true, `POST /projects/{project_id}/services` usually returns a `poll_url`. */
            readonly async: boolean;
            /**
             * @description How many valid credentials a resource can have at the same time. `single`: one. `multiple`: several.
             * @enum {string}
             */
            readonly credential_type: "single" | "multiple";
            /**
             * @description What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider.
             * @enum {string}
             */
            readonly deprovision_effect: "destroy" | "detach";
            /** @description JSON Schema of `config` in the request that adds the service. */
            readonly config_schema: {
                readonly [key: string]: unknown;
            };
            /** @description Variables that the service adds to env bundles. Empty if the provider's catalog does not contain them: the names are then fixed when the resource is created, and start with the provider's id. */
            readonly env_vars: readonly {
                /** @description Name of the variable, without the `env_prefix` of a service. */
                readonly name: string;
                /** @description Whether the value is a secret. */
                readonly sensitive: boolean;
            }[];
            /** @description Plans that the service requires, for example `neon/launch`. Empty if it requires none. Not checked in this API version. */
            readonly requires_plan: readonly string[];
            /** @description The service's plans. The first one is the default. */
            readonly plans: readonly components["schemas"]["CatalogPlan"][];
            /** @description URL of the provider's documentation that is written for language models. */
            readonly llm_context_url?: string;
            /** @description URL of the provider's documentation that is written for people. */
            readonly docs_url?: string;
        };
        readonly CatalogProvider: {
            /** @description The provider's id, for example `neon`. */
            readonly provider: string;
            readonly display_name: string;
            readonly categories: readonly string[];
            /**
             * @description How a project is linked to the provider. `oauth`: a user gives consent on the provider's page. `api_token`: a user enters an API token for the provider in a form. `instant`: the provider creates an account immediately.
             * @enum {string}
             */
            readonly auth: "oauth" | "api_token" | "instant";
            /** @description The protocol that Purser uses to call the provider. `native` is the provider's own API, `agentic-0.1d` the agentic provisioning protocol. */
            readonly protocol: string;
            /** @description The provider's terms of service. */
            readonly terms: {
                /** @description Current version of the terms. To accept the terms, send this version as `accept_terms_version`. */
                readonly version: string;
                /** @description URL of the terms. */
                readonly url: string;
            };
            /** @description The provider's regions. The first one is the default. */
            readonly regions: readonly string[];
            /**
             * @description The provider's health when this version of the catalog was published, or when its entry was last read. `degraded`: the entry is not current.
             * @enum {string}
             */
            readonly health: "ok" | "degraded" | "down";
            readonly services: readonly components["schemas"]["CatalogService"][];
        };
        readonly Catalog: {
            /** @enum {string} */
            readonly object: "list";
            /** @description Catalog version, a `YYYY-MM-DD` date. */
            readonly catalog_version: string;
            readonly data: readonly components["schemas"]["CatalogProvider"][];
            readonly has_more: boolean;
            readonly next_cursor: string | null;
        };
        readonly Subject: {
            readonly type: string;
            readonly id: string;
        };
        readonly Operation: {
            /** @enum {string} */
            readonly object: "operation";
            readonly operation_id: string;
            /** @description The id of the project that the operation belongs to. Null if it does not belong to a project. */
            readonly project_id: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @enum {string} */
            readonly type: "service.add" | "service.rotate" | "service.upgrade" | "service.remove" | "project.delete";
            /** @enum {string} */
            readonly status: "running" | "requires_approval" | "succeeded" | "failed" | "compensated" | "needs_operator";
            /** @description The object that the operation changes, for example a project or a service. */
            readonly subject: components["schemas"]["Subject"];
            /** @description The id of the service, if `subject` is a service. Null for all other subjects. */
            readonly service_id: string | null;
            /** @description The steps in the order in which they run. */
            readonly steps: readonly {
                readonly name: string;
                /** @enum {string} */
                readonly status: "pending" | "running" | "succeeded" | "failed" | "compensated" | "skipped";
                /** @description When the step's `status` last changed. Null while the step is pending. */
                readonly at: string | null;
            }[];
            /** @description An error in the Problem Details format (RFC 9457). */
            readonly error: components["schemas"]["Problem"] | null;
            /** @description Typical duration of the operation in seconds. Null unless the operation is waiting for the provider. */
            readonly expected_callback_seconds: number | null;
            /** @description URL path to poll for the operation's status. Null if the operation has ended. */
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
        readonly AuditEntryActor: {
            /** @enum {string} */
            readonly type: "developer" | "agent" | "admin" | "system";
            readonly id: string;
            /** @description The id of the API key that signed the request for the change. Null if no API key was used. */
            readonly key_id: string | null;
            /** @description The client's IPv4 address or IPv6 /64 network. Null for changes made by admins, by background jobs or from the command line. */
            readonly ip: string | null;
        };
        readonly AuditEntry: {
            readonly audit_id: string;
            /** @enum {string} */
            readonly chain: "tenant" | "provider_keys";
            readonly tenant_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description Position of the entry in the chain. The first entry is 1. */
            readonly sequence: number;
            readonly actor: components["schemas"]["AuditEntryActor"];
            /** @example provider_key.updated */
            readonly action: string;
            readonly subject: components["schemas"]["Subject"];
            /** @description Details of the change. The fields depend on `action`. Secrets are included only as keyed HMACs. */
            readonly facts: {
                readonly [key: string]: unknown;
            };
            /** @description The id of the request that made the change. Null for changes made by background jobs or from the command line. */
            readonly request_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
            /** @description The `hash` of the previous entry in the chain. 64 zeros for the first entry. */
            readonly prev_hash: string;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of all other fields, in lowercase hexadecimal. */
            readonly hash: string;
        };
        readonly AuditEntryList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AuditEntry"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly AuditCheckpoint: {
            /** @enum {string} */
            readonly object: "audit_checkpoint";
            readonly tenant_id: string;
            /** @enum {string} */
            readonly chain: "tenant" | "provider_keys";
            /** @description Number of entries in the chain when the checkpoint was created. */
            readonly sequence: number;
            /** @description The hash of the chain's newest entry when the checkpoint was created. */
            readonly head_hash: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly time: string;
            /** @description The `checkpoint_hash` of the previous checkpoint. 64 zeros for the first checkpoint. */
            readonly prev_checkpoint_hash: string;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of `tenant_id`, `chain`, `sequence`, `head_hash`, `time` and `prev_checkpoint_hash`. */
            readonly checkpoint_hash: string;
            /** @description The `kid` of the signing key in `/.well-known/jwks.json`. */
            readonly key_id: string;
            /** @description Ed25519 signature over the text of `checkpoint_hash`, encoded as Base64url. */
            readonly signature: string;
            /** @description When the checkpoint was stored in the anchor, which is external storage. Null until then. */
            readonly anchored_at: string | null;
            /** @description Location of the checkpoint in the anchor's storage. Null until the anchor has accepted the checkpoint. */
            readonly reference: string | null;
        };
        readonly AuditCheckpointList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AuditCheckpoint"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly PaymentMethodAttachRequest: {
            /** @description The payment method's id at the payment processor, with the prefix `pm_`. Never send a card number: a request that contains one is rejected with 422. */
            readonly payment_method_id: string;
            /** @description Whether the project's charges use this payment method from now on. Default: true. */
            readonly set_default?: boolean;
            /** @description The page to which the bank redirects the owner of the payment method after confirmation. Must use https, or http with a loopback host. If absent, no redirect is used, and the owner confirms the payment method with `client_secret`. */
            readonly return_url?: string;
        };
        readonly PaymentMethodAttachment: {
            /** @description The id of the project's customer at the payment processor. */
            readonly customer_id: string;
            readonly payment_method: components["schemas"]["PaymentMethod"];
            /** @description The setup of the payment method at the payment processor. */
            readonly setup_intent: {
                readonly id: string;
                /**
                 * @description Status of the setup. `succeeded`: the payment method can be charged. `requires_action`: the owner must take the action in `next_action`. `processing`: the bank has not responded yet.
                 * @enum {string}
                 */
                readonly status: "succeeded" | "requires_action" | "processing" | "requires_payment_method";
                /** @description The secret that the payment processor's browser library needs to complete the setup. Pass it to the owner's browser. Null unless `status` is `requires_action`. */
                readonly client_secret: string | null;
                /** @description The action that the owner must take. Null unless `status` is `requires_action`. */
                readonly next_action: {
                    /** @enum {string} */
                    readonly type: "open_url" | "use_client_secret";
                    /** @enum {string} */
                    readonly actor: "human";
                    /** @description URL of the bank's page on which the owner confirms the payment method. Only included if `type` is `open_url`. */
                    readonly url?: string;
                } | null;
            };
        };
        readonly Invoice: {
            /** @enum {string} */
            readonly object: "invoice";
            readonly invoice_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly project_id: string;
            /** @description The name of the project, also of a deleted one. */
            readonly project_name: string;
            /**
             * @description The calendar month (UTC) of the invoice. Charges of earlier months can be on it too.
             * @example 2026-11
             */
            readonly period: string;
            /**
             * @description `preparing`: not made at the payment processor yet. `open`: not paid yet. `uncollectible`: the payment processor has given up, but the amount is still owed.
             * @enum {string}
             */
            readonly status: "preparing" | "open" | "paid" | "void" | "uncollectible";
            /** @description Whether a payment was declined and the amount is still owed. */
            readonly past_due: boolean;
            /** @enum {string} */
            readonly currency: "usd";
            /**
             * @description The sum of all charges on the invoice, in US dollars.
             * @example 100.00
             */
            readonly amount: components["schemas"]["Amount"];
            /** @description The first 50 charges on the invoice, by their ids. */
            readonly charges: readonly {
                readonly charge_id: string;
                readonly description: string;
                /**
                 * @description In US dollars. Negative for a refund.
                 * @example 100.00
                 */
                readonly amount: components["schemas"]["Amount"];
            }[];
            /** @description Whether the invoice has more charges than `charges`. */
            readonly has_more_charges: boolean;
            /** @description The id of the invoice at the payment processor, which is the `payment_id` of its paid charges. Null while it is `preparing`. */
            readonly processor_invoice_id: string | null;
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
            /** @description When Purser learned that the invoice was paid. Null unless it is paid. */
            readonly paid_at: string | null;
        };
        readonly InvoiceList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Invoice"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly LinkProviderRequest: {
            /**
             * @description A provider id from the catalog.
             * @enum {string}
             */
            readonly provider: "neon" | "supabase";
            /**
             * @description The kind of provider account to link. `new_account` is only valid for providers whose `auth` in the catalog is `instant`. Such a provider decides itself whether it creates an account. Default: `auto`.
             * @enum {string}
             */
            readonly mode?: "auto" | "existing_account" | "new_account";
            /** @description OAuth scopes to store with the link. They are not sent to the provider: the scopes that are granted depend on the provider's OAuth app. */
            readonly scopes?: readonly string[];
            /** @description A region from the provider's `regions` in the catalog. The value is checked but has no effect in this API version. */
            readonly region?: string;
            /** @description URL that the browser is redirected to when linking succeeds or fails, with the query parameters `link_id` and `status`. Must be on this server, or use `http` with a loopback host. Default: a page on this server. */
            readonly redirect_uri?: string;
            /** @description The version of the provider's terms that the developer accepts. The call fails with 409 `tos_acceptance_required` if it is not the current version. Default: the version is not checked. */
            readonly accept_terms_version?: string;
            /** @description Whether to start a new link even if the provider is already linked. The existing link stays usable until the new one is completed. Default: false. */
            readonly force?: boolean;
        };
        readonly Link: {
            /** @enum {string} */
            readonly object: "link";
            readonly link_id: string;
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly provider: string;
            /**
             * @description How the link is completed. `oauth`: a user gives consent on the provider's page. `api_token`: a user enters an API token for the provider in a form. `instant`: the provider creates an account immediately, without a user's action.
             * @enum {string}
             */
            readonly flow: "oauth" | "api_token" | "instant";
            /**
             * @description Status of the link. `pending_auth` until a user completes the link, then `linked`, `failed`, `expired` or `revoked`.
             * @enum {string}
             */
            readonly status: "pending_auth" | "linked" | "failed" | "expired" | "revoked";
            /** @description Why the link failed. Null if it did not fail. `access_denied`: the user denied access. `exchange_failed`: the provider did not exchange the authorization code for tokens. `token_refused`: the token that the user entered is invalid. `provider_refused`: the provider returned another error. `provider_unavailable`: the provider did not respond. `other_account`: the project has services in a different account at this provider. `project_not_active`: the project is no longer active. */
            readonly error: ("access_denied" | "exchange_failed" | "token_refused" | "provider_refused" | "provider_unavailable" | "other_account" | "project_not_active") | null;
            /** @description URL of the page on which a user completes the link. If `flow` is `oauth`, it is the provider's consent page. If `flow` is `api_token`, it is a form on this server in which the user enters an API token for the provider. Keep the URL secret: anyone who has it can complete the link. Null unless `status` is `pending_auth`. Always null in lists and for callers that cannot link providers. */
            readonly url: string | null;
            /** @description The OAuth `state` value that identifies this link when the provider redirects the user to Purser. Null if `url` is null or `flow` is `api_token`. */
            readonly state: string | null;
            /** @description When the link expires if it is not completed: ten minutes after it was created. Null unless `status` is `pending_auth` or `expired`. */
            readonly expires_at: string | null;
            /** @description URL path to poll for the status of this link. */
            readonly poll_url: string;
            /** @description The action that a user must take, which is to open `url`. Null unless `status` is `pending_auth`. */
            readonly next_action: {
                /** @enum {string} */
                readonly type: "open_url";
                /** @enum {string} */
                readonly actor: "human";
            } | null;
            /** @description When the link was completed. Null if it has not been completed. */
            readonly linked_at: string | null;
            /** @description The provider's name for the linked account, for example an email address or an organization. Null until the link is completed. */
            readonly account_label: string | null;
            /** @description The OAuth scopes from the request that started the link. They can differ from the scopes that the provider granted. */
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
        readonly FinishedLink: {
            readonly link_id: string;
            readonly provider: string;
            /** @enum {string} */
            readonly status: "linked" | "failed";
            /** @description Why the link failed. Null if it did not fail. `access_denied`: the user denied access. `exchange_failed`: the provider did not exchange the authorization code for tokens. `token_refused`: the token that the user entered is invalid. `provider_refused`: the provider returned another error. `provider_unavailable`: the provider did not respond. `other_account`: the project has services in a different account at this provider. `project_not_active`: the project is no longer active. */
            readonly error: ("access_denied" | "exchange_failed" | "token_refused" | "provider_refused" | "provider_unavailable" | "other_account" | "project_not_active") | null;
        };
        readonly LinkList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Link"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly AddServiceRequest: {
            /** @description Id in the catalog: `provider/slug`, for example `neon/postgres`. Required unless `provider` and `service_slug` are set. */
            readonly service?: string;
            /** @description The provider's id, which is the part of `service` before the slash. Can be sent with `service_slug` instead of `service`. */
            readonly provider?: string;
            /** @description The service's slug, which is the part of `service` after the slash. Can be sent with `provider` instead of `service`. */
            readonly service_slug?: string;
            /** @description The service's name, unique within the project: 1 to 63 letters, digits, dots, underscores and hyphens, starting with a letter or digit. Default: the service's slug in the catalog, with a number appended if the name is taken. */
            readonly name?: string;
            /** @description A plan id from the catalog. Default: the service's first plan. */
            readonly plan?: string;
            /** @description Configuration of the service. Must match the service's `config_schema` in the catalog. Default: `{}`. */
            readonly config?: {
                readonly [key: string]: unknown;
            };
            /** @description A region id from the catalog. Default: the provider's first region. */
            readonly region?: string;
            /** @description Environments whose env bundles contain the service's variables. Default: all environments of the project. */
            readonly environments?: readonly string[];
            /** @description Prefix for the names of the service's variables: 1 to 32 capital letters, digits and underscores, not starting with a digit. Default: none. */
            readonly env_prefix?: string;
            /** @description Maximum fixed price per month, in US dollars, as a string or a JSON number. The call fails if the plan costs more. Default: no limit. */
            readonly max_monthly_cost?: components["schemas"]["AmountInput"];
            /** @description The version of the provider's terms that the developer accepts. The call fails with 409 `tos_acceptance_required` if it is not the current version. Default: the version is not checked. */
            readonly accept_terms_version?: string;
            /** @description The id of an existing resource at the provider, to use instead of a new one: letters, digits, underscores and hyphens, starting with a letter or digit. Default: a new resource is created. */
            readonly existing_resource_id?: string;
            /**
             * Format: uuid
             * @description The UUID of the agent that adds the service. Must be equal to `X-Agent-ID` if that header is sent.
             */
            readonly agent_id?: string;
            /** @description Up to 50 key-value pairs that you choose. Keys have up to 40 characters, values up to 500. Default: `{}`. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly CredentialPull: {
            readonly key_id: string;
            /** @description The version that the API key has pulled last. */
            readonly version: number;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly pulled_at: string;
        };
        readonly ServiceCredential: {
            /** @description Version of the credential, starting at 1. 0 if no credential has been issued yet. */
            readonly version: number;
            /**
             * @description How many valid credentials a resource can have at the same time. `single`: one. `multiple`: several.
             * @enum {string}
             */
            readonly type: "single" | "multiple";
            /** @description When this version of the credential was issued. Null if no credential has been issued yet. */
            readonly rotated_at: string | null;
            /** @description When the former credential is retired. Null if the former credential is not valid. */
            readonly previous_valid_until: string | null;
            /** @description The API keys that have pulled the credential, at most 50: those with the oldest versions first, then the newest pulls first. A pull within a minute after another one of the same version is not recorded. Only in the response to getService. */
            readonly pulled_by?: readonly components["schemas"]["CredentialPull"][];
            /** @description When the credential expires. `null` if it never expires. */
            readonly expires_at: string | null;
        };
        /** @description Price of the service. It is the price when the service got its plan, except for a provider with the protocol `native` that bills the plan itself: then it is the price in the catalog. */
        readonly ServicePrice: {
            /** @enum {string} */
            readonly type: "free" | "paid" | "component" | "usage";
            /**
             * @description Fixed price per billing interval. Absent if the service is billed by use only.
             * @example 100.00
             */
            readonly amount?: components["schemas"]["Amount"];
            /** @enum {string} */
            readonly currency?: "usd";
            /** @enum {string} */
            readonly interval?: "month" | "year";
        };
        readonly PendingPlan: {
            readonly plan: string;
            /**
             * Format: date-time
             * @description The start of the next calendar month (UTC).
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly effective_at: string;
        };
        readonly ServiceNotification: {
            readonly level: string;
            readonly title: string;
            readonly href: string;
        };
        readonly Service: {
            /** @enum {string} */
            readonly object: "service";
            readonly service_id: string;
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The id of the link to the provider that was used to add the service. */
            readonly link_id: string;
            readonly provider: string;
            /** @description The service's id in the catalog, `provider/slug`, for example `neon/postgres`. */
            readonly service: string;
            /** @description The service's name, unique within the project. */
            readonly name: string;
            readonly plan: string;
            /**
             * @description Status of the service. `active`: the service can be used. `pending` and `provisioning`: the service is being added. `updating`: its plan is being changed, and its variables stay valid. `rotating`: a new credential is being issued, and its variables stay valid. `failed`: the service could not be added, and everything created for it was removed.
             * @enum {string}
             */
            readonly status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
            readonly region: string;
            /** @description The `config` from the request that added the service. */
            readonly config: {
                readonly [key: string]: unknown;
            };
            /** @description Environments whose env bundles contain the service's variables. */
            readonly environments: readonly string[];
            /** @description Prefix for the names of the service's variables. Null if no prefix was set. */
            readonly env_prefix: string | null;
            /** @description Names of the service's variables in env bundles. They are fixed when the service is added. */
            readonly env_names: readonly string[];
            readonly credential: components["schemas"]["ServiceCredential"];
            readonly pricing: components["schemas"]["ServicePrice"];
            /** @description Ids of the plans that the service can switch to. */
            readonly allowed_updates: readonly string[];
            /** @description The plan that the service changes to when the month ends. Null if no change is scheduled. A change to the current plan cancels it. */
            readonly pending_plan: components["schemas"]["PendingPlan"] | null;
            /**
             * @description What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider, for example because the service was added with `existing_resource_id`, or because the provider keeps its data and ends only Purser's access.
             * @enum {string}
             */
            readonly deprovision_effect: "destroy" | "detach";
            /** @description The resource's id at the provider. Null until the resource is created. */
            readonly provider_resource_id: string | null;
            /** @description Whether `POST /projects/{project_id}/services/{service_id}/deep-link` returns a URL of the provider's dashboard. */
            readonly dashboard_url_available: boolean;
            /** @description Something that the owner should know. Null if there is nothing. `level` is `error` if the resource was not found at the provider, for example because it was deleted there; `href` is then the URL path of the service. `level` is `warn` if the provider has changed the price of the plan: `title` names both prices, and `href` is the URL path of the provider's catalog entry. */
            readonly notification: components["schemas"]["ServiceNotification"] | null;
            /** @description The UUID of the agent that added the service. Null if the developer added it. */
            readonly agent_id: string | null;
            /** @description Key-value pairs set by the caller. */
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
            /** @description When the service was removed. Null if it has not been removed. */
            readonly removed_at: string | null;
        };
        readonly Failure: {
            readonly code: string;
            readonly detail: string;
        };
        readonly Approval: {
            /** @enum {string} */
            readonly object: "approval";
            readonly approval_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /**
             * @description Status of the approval. `pending` until a person decides, then `approved` or `denied`. `expired` from the second of `expires_at`. `canceled` if what waits for the approval has ended.
             * @enum {string}
             */
            readonly status: "pending" | "approved" | "denied" | "expired" | "canceled";
            /** @description What waits for the approval, for example a service. */
            readonly subject: components["schemas"]["Subject"];
            /** @description The agent that made the request. Null if the developer made it. */
            readonly agent_id: string | null;
            /** @description What a person is shown before deciding. */
            readonly summary: {
                /** @description What happens after the approval, in one line. */
                readonly title: string;
                /** @description The amount that is spent. Null if nothing is spent. */
                readonly amount: components["schemas"]["Amount"] | null;
                /** @description Currency or token of the amount. Null if `amount` is null. */
                readonly currency: string | null;
                /** @description Who receives the amount. */
                readonly payee: string | null;
                /** @description The reason that the caller gave. Purser has not checked it. */
                readonly reason: string | null;
                /** @description The parts of the amount. */
                readonly line_items: readonly {
                    readonly description: string;
                    /** @example 100.00 */
                    readonly amount: components["schemas"]["Amount"];
                }[];
                /** @description What is unusual about the request, for example `new_payee`. */
                readonly risk_flags: readonly string[];
            };
            /** @description URL path that approves the request with POST. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents. */
            readonly approve_url: string;
            /** @description URL of the page on which the developer decides, after logging in. Show it to a person. */
            readonly approve_page_url: string;
            readonly requested_by: components["schemas"]["Actor"];
            /** @description Who may decide. `role:owner` is the developer. */
            readonly approvers: readonly string[];
            /** @description The decision, with its time and its way. */
            readonly votes: readonly {
                /** @enum {string} */
                readonly decision: "approved" | "denied";
                readonly by: components["schemas"]["Actor"];
                /**
                 * @description How the person decided: with an API key, with a dashboard session, or on the page of the emailed URL.
                 * @enum {string}
                 */
                readonly via: "api" | "dashboard" | "email_link";
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly at: string;
                readonly note: string | null;
            }[];
            /** @description The rules that require this approval. After the approval they count as satisfied. */
            readonly rules: readonly {
                /** @description The policy of the rule. Null if the rule does not belong to a policy. */
                readonly policy_id: string | null;
                readonly policy_version: number | null;
                readonly rule_id: string;
            }[];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
            /** @description When `status` stopped being `pending`. Null while it is `pending`. */
            readonly decided_at: string | null;
            /** @description URL path that responds as soon as the approval is decided, or after 30 seconds. */
            readonly long_poll_url: string;
            /** @description What has happened to what waited. Only in the responses of approve and deny, and if one approval is read that is no longer pending. An operation can still run. */
            readonly outcome?: {
                /** @description The payment's status, or the operation's. */
                readonly status: string;
                /** @description Why it was not carried out. Null if it was, or if it still runs. */
                readonly failure: components["schemas"]["Failure"] | null;
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
        };
        readonly ServiceAddition: {
            readonly service: components["schemas"]["Service"];
            readonly operation: components["schemas"]["Operation"];
            /** @description The service's variables by name. Null unless the service is active and the call is signed with a key that has the scope `env:read`. */
            readonly env: {
                readonly [key: string]: string;
            } | null;
            /** @description Names of the service's variables. */
            readonly env_names: readonly string[];
            /** @description SHA-256 of the canonical JSON (RFC 8785) of `env`, in lowercase hexadecimal. Null if `env` is null. */
            readonly fingerprint: string | null;
            /** @description Typical duration in seconds until the operation ends. Null if the operation has ended or its duration is unknown. */
            readonly expected_callback_seconds: number | null;
            /** @description URL path to poll for the operation's status. Null if the operation has ended. */
            readonly poll_url: string | null;
            /** @description The approval that the operation waits for. Null unless the operation's status is `requires_approval`. */
            readonly approval: components["schemas"]["Approval"] | null;
        };
        readonly ServiceList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Service"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly RotateServiceRequest: {
            /** @description How long the former credential stays valid, in seconds. Default: 3600. Ignored if the provider ends it at once. */
            readonly grace_period_seconds?: number;
            /**
             * @description `compromised`: the former credential is retired at once, even if a rotation is already running, and a running grace period ends. Default: `scheduled`.
             * @enum {string}
             */
            readonly reason?: "scheduled" | "compromised" | "personnel";
            /** @description Ends the grace period of the former credential, if one is running. Otherwise the call fails then. Default: false. */
            readonly retire_previous?: boolean;
            /** @description Omits the warning `downtime`. Default: false. */
            readonly confirm_downtime?: boolean;
        };
        readonly ServiceRotation: {
            readonly service_id: string;
            /** @description Version of the credential that env bundles contain. */
            readonly credential_version: number;
            /**
             * @description `overlap`: the former credential stays valid for the grace period. `immediate`: the provider ends it when it issues the new one.
             * @enum {string}
             */
            readonly mode: "overlap" | "immediate";
            /**
             * @description `pending` until the provider refuses the former credential.
             * @enum {string}
             */
            readonly status: "completed" | "pending";
            /** @description When the former credential is retired. Null if it is not valid. */
            readonly previous_valid_until: string | null;
            /** @description Names of the service's variables. */
            readonly env_names: readonly string[];
            /** @description Whether env bundles contain a new credential. Purser has used it once, unless `warnings` contains `not_verified`. False as well if the provider returned the credential that the service had already. */
            readonly changed: boolean;
            /** @description `downtime`: clients fail until they pull the new credential. `unchanged`: the provider returned the same credential. `not_verified`: Purser has not used the new credential, because it cannot use credentials of this provider, or because the provider did not accept it after ending the former one. `former_version_in_use`: an API key has last pulled the former version (see `credential.pulled_by` of the service). `former_credential_not_retired`: the provider still accepts the former credential; repeat the request. */
            readonly warnings: readonly ("downtime" | "unchanged" | "not_verified" | "former_version_in_use" | "former_credential_not_retired")[];
            readonly operation_id: string;
            /** @description URL path to poll for the operation's status. Null if the operation has ended. */
            readonly poll_url: string | null;
        };
        readonly ServiceRemoval: {
            /** @enum {string} */
            readonly object: "service";
            readonly service_id: string;
            readonly project_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The id of the link to the provider that was used to add the service. */
            readonly link_id: string;
            readonly provider: string;
            /** @description The service's id in the catalog, `provider/slug`, for example `neon/postgres`. */
            readonly service: string;
            /** @description The service's name, unique within the project. */
            readonly name: string;
            readonly plan: string;
            /**
             * @description Status of the service. `active`: the service can be used. `pending` and `provisioning`: the service is being added. `updating`: its plan is being changed, and its variables stay valid. `rotating`: a new credential is being issued, and its variables stay valid. `failed`: the service could not be added, and everything created for it was removed.
             * @enum {string}
             */
            readonly status: "pending" | "requires_action" | "provisioning" | "active" | "updating" | "rotating" | "suspended" | "removing" | "removed" | "failed";
            readonly region: string;
            /** @description The `config` from the request that added the service. */
            readonly config: {
                readonly [key: string]: unknown;
            };
            /** @description Environments whose env bundles contain the service's variables. */
            readonly environments: readonly string[];
            /** @description Prefix for the names of the service's variables. Null if no prefix was set. */
            readonly env_prefix: string | null;
            /** @description Names of the service's variables in env bundles. They are fixed when the service is added. */
            readonly env_names: readonly string[];
            readonly credential: components["schemas"]["ServiceCredential"];
            readonly pricing: components["schemas"]["ServicePrice"];
            /** @description Ids of the plans that the service can switch to. */
            readonly allowed_updates: readonly string[];
            /** @description The plan that the service changes to when the month ends. Null if no change is scheduled. A change to the current plan cancels it. */
            readonly pending_plan: components["schemas"]["PendingPlan"] | null;
            /**
             * @description What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider, for example because the service was added with `existing_resource_id`, or because the provider keeps its data and ends only Purser's access.
             * @enum {string}
             */
            readonly deprovision_effect: "destroy" | "detach";
            /** @description The resource's id at the provider. Null until the resource is created. */
            readonly provider_resource_id: string | null;
            /** @description Whether `POST /projects/{project_id}/services/{service_id}/deep-link` returns a URL of the provider's dashboard. */
            readonly dashboard_url_available: boolean;
            /** @description Something that the owner should know. Null if there is nothing. `level` is `error` if the resource was not found at the provider, for example because it was deleted there; `href` is then the URL path of the service. `level` is `warn` if the provider has changed the price of the plan: `title` names both prices, and `href` is the URL path of the provider's catalog entry. */
            readonly notification: components["schemas"]["ServiceNotification"] | null;
            /** @description The UUID of the agent that added the service. Null if the developer added it. */
            readonly agent_id: string | null;
            /** @description Key-value pairs set by the caller. */
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
            /** @description When the service was removed. Null if it has not been removed. */
            readonly removed_at: string | null;
            /**
             * @description What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider.
             * @enum {string}
             */
            readonly effect: "destroyed" | "detached";
            readonly operation: components["schemas"]["Operation"];
            /** @description URL path to poll for the operation's status. Null if the operation has ended. */
            readonly poll_url: string | null;
        };
        readonly UpgradeServiceRequest: {
            /** @description The id of the new plan: one of the service's `allowed_updates`. */
            readonly plan: string;
            /**
             * @description When the plan changes. `immediate`: now. `period_end`: when the month ends (UTC). Default: `immediate`, or `period_end` for a cheaper plan if the current plan is not prorated.
             * @enum {string}
             */
            readonly effective?: "immediate" | "period_end";
            /** @description Maximum fixed price of the new plan per month, in US dollars, as a string or a JSON number. The call fails if the plan costs more. Default: no limit. */
            readonly max_monthly_cost?: components["schemas"]["AmountInput"];
            /** @description The call fails with 409 `conflict` if the service has another plan. Default: not checked. */
            readonly expected_current_plan?: string;
            /** @description The version of the provider's terms that the developer accepts. The call fails with 409 `tos_acceptance_required` if it is not the current version. Default: the version is not checked. */
            readonly accept_terms_version?: string;
        };
        readonly ServiceUpgrade: {
            readonly service: components["schemas"]["Service"];
            /** @description The plan of the service before the call. */
            readonly previous_plan: string;
            /** @description Whether the provider is asked to change the plan. False if the service has the plan already. */
            readonly changed: boolean;
            readonly price_change: {
                /**
                 * @description The monthly cost of the previous plan, in US dollars.
                 * @example 100.00
                 */
                readonly old: components["schemas"]["Amount"];
                /**
                 * @description The monthly cost of the requested plan.
                 * @example 100.00
                 */
                readonly new: components["schemas"]["Amount"];
                /** @description The previous plan's prices for metered use. Empty if its use is not metered. */
                readonly old_usage: readonly components["schemas"]["UnitPrice"][];
                /** @description The requested plan's prices for metered use. */
                readonly new_usage: readonly components["schemas"]["UnitPrice"][];
                /**
                 * @description What the change costs for the rest of the current month. Negative if the month costs less. Metered use is not included.
                 * @example 100.00
                 */
                readonly proration: components["schemas"]["Amount"];
            };
            /**
             * @description `completed`: the service has the requested plan. `pending`: the operation has not ended, or the plan changes when the month ends (see `service.pending_plan`).
             * @enum {string}
             */
            readonly status: "completed" | "pending";
            /** @description The operation that changes the plan. Null if nothing had to be changed. */
            readonly operation: components["schemas"]["Operation"] | null;
            /** @description URL path to poll for the operation's status. Null if there is none or it has ended. */
            readonly poll_url: string | null;
            /** @description The approval that the operation waits for. Null unless the operation's status is `requires_approval`. */
            readonly approval: components["schemas"]["Approval"] | null;
        };
        readonly DeepLink: {
            /** @enum {string} */
            readonly object: "deep_link";
            /** @description URL of the provider's dashboard that can be used once. Keep it secret: anyone who has it can use it. */
            readonly url: string;
            /** @description When the URL expires. Null if the provider does not say. */
            readonly expires_at: string | null;
        };
        readonly AmountConditionInput: {
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly gt?: components["schemas"]["AmountInput"];
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly gte?: components["schemas"]["AmountInput"];
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly lt?: components["schemas"]["AmountInput"];
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly lte?: components["schemas"]["AmountInput"];
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly eq?: components["schemas"]["AmountInput"];
        };
        /** @description Who is paid, ignoring case. */
        readonly PayeeCondition: {
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly eq?: string;
            readonly in?: readonly string[];
            readonly not_in?: readonly string[];
        };
        readonly TextCondition: {
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly eq?: string;
            readonly in?: readonly string[];
            readonly not_in?: readonly string[];
        };
        /** @description The agent's know-your-agent level. */
        readonly KyaLevelCondition: {
            /** @enum {string} */
            readonly eq?: "none" | "basic" | "verified" | "attested";
            readonly in?: readonly ("none" | "basic" | "verified" | "attested")[];
            readonly not_in?: readonly ("none" | "basic" | "verified" | "attested")[];
        };
        /** @description The time of the day in UTC. */
        readonly TimeCondition: {
            /**
             * @description `HH:MM-HH:MM`, two times of the day in UTC. The first minute is inside, the last is not. If the first time is later than the second, the range contains midnight.
             * @example 06:00-22:00
             */
            readonly inside?: string;
            /**
             * @description `HH:MM-HH:MM`, two times of the day in UTC. The first minute is inside, the last is not. If the first time is later than the second, the range contains midnight.
             * @example 06:00-22:00
             */
            readonly outside?: string;
        };
        /** @description The rule matches if all conditions hold. A condition does not hold if its fact is unknown. Default: `{}`, which always holds. */
        readonly PolicyConditionsInput: {
            /** @description The amount in US dollars. */
            readonly amount_usd?: components["schemas"]["AmountConditionInput"];
            /** @description The monthly price of a service in US dollars. */
            readonly monthly_cost_usd?: components["schemas"]["AmountConditionInput"];
            readonly payee?: components["schemas"]["PayeeCondition"];
            /** @description The network of a payment. */
            readonly network?: components["schemas"]["TextCondition"];
            /** @description The token of a payment. */
            readonly token?: components["schemas"]["TextCondition"];
            /** @description The provider of a service. */
            readonly provider?: components["schemas"]["TextCondition"];
            /** @description The service's id in the catalog. */
            readonly service?: components["schemas"]["TextCondition"];
            /** @description The service's category in the catalog. */
            readonly category?: components["schemas"]["TextCondition"];
            /** @description The plan of a service. */
            readonly plan?: components["schemas"]["TextCondition"];
            readonly kya_level?: components["schemas"]["KyaLevelCondition"];
            /** @description `true` if the payee has never been paid before. */
            readonly payee_first_seen?: boolean;
            readonly time_utc?: components["schemas"]["TimeCondition"];
        };
        /** @description The largest total of the period. With `per_tx`, the largest amount of one operation. Only for limits. */
        readonly PolicyBudgetInput: {
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly max: components["schemas"]["AmountInput"];
            /** @enum {string} */
            readonly currency?: "usd";
            /** @enum {string} */
            readonly period: "per_tx" | "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
        };
        /** @description The largest number of operations in the period. Only for limits. */
        readonly PolicyCount: {
            readonly max: number;
            /** @enum {string} */
            readonly period: "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
        };
        readonly PolicyRuleInput: {
            /** @description 1 to 64 letters, digits, underscores and hyphens, unique in the policy. `default`, `threshold`, `project_cap`, `provider_cap` and `max_fee` are reserved. */
            readonly id: string;
            /**
             * @description `deny` refuses. `limit` refuses what exceeds its `budget` or `count`, and permits nothing. `require_approval` permits what a person approves. `allow` permits.
             * @enum {string}
             */
            readonly effect: "allow" | "deny" | "limit" | "require_approval";
            /**
             * @description The operation that the rule is about. Default: `*`, every operation.
             * @enum {string}
             */
            readonly operation?: "payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create" | "*";
            readonly when?: components["schemas"]["PolicyConditionsInput"];
            readonly budget?: components["schemas"]["PolicyBudgetInput"];
            readonly count?: components["schemas"]["PolicyCount"];
            /** @description If `true`, the limit counts all agents of the policy together. Default: `false`, each agent for itself. Only for limits. */
            readonly shared?: boolean;
        };
        /** @description How people approve. An operation whose amount is more than `threshold_usd` needs an approval. */
        readonly PolicyApprovalsInput: {
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly threshold_usd?: components["schemas"]["AmountInput"];
            /** @description Who can approve. Default: `["role:owner"]`, the account's owner. */
            readonly approvers?: readonly "role:owner"[];
            /** @description How many people have to approve. Default: 1. */
            readonly required?: number;
            /** @description After this time an approval expires. Default: 600. */
            readonly expires_in_seconds?: number;
        };
        readonly PolicyCreateRequest: {
            /**
             * Format: visible
             * @description 1 to 100 characters on one line, without leading or trailing spaces.
             * @example buyer
             */
            readonly name: string;
            /**
             * @description What happens to an operation that no rule allows. Only `deny` is supported.
             * @enum {string}
             */
            readonly default?: "deny";
            /** @description The agents, wallets and projects to which the policy applies, up to 1,000 of each. They do not have to exist yet. */
            readonly applies_to?: {
                readonly agent_ids?: readonly string[];
                readonly wallet_ids?: readonly string[];
                readonly project_ids?: readonly string[];
            };
            /** @description Up to 200 rules with up to 1,000 list elements in total. */
            readonly rules: readonly components["schemas"]["PolicyRuleInput"][];
            readonly approvals?: components["schemas"]["PolicyApprovalsInput"];
        };
        readonly AmountCondition: {
            /** @example 100.00 */
            readonly gt?: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly gte?: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly lt?: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly lte?: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly eq?: components["schemas"]["Amount"];
        };
        /** @description The rule matches if all conditions hold. A condition does not hold if its fact is unknown. Default: `{}`, which always holds. */
        readonly PolicyConditions: {
            /** @description The amount in US dollars. */
            readonly amount_usd?: components["schemas"]["AmountCondition"];
            /** @description The monthly price of a service in US dollars. */
            readonly monthly_cost_usd?: components["schemas"]["AmountCondition"];
            readonly payee?: components["schemas"]["PayeeCondition"];
            /** @description The network of a payment. */
            readonly network?: components["schemas"]["TextCondition"];
            /** @description The token of a payment. */
            readonly token?: components["schemas"]["TextCondition"];
            /** @description The provider of a service. */
            readonly provider?: components["schemas"]["TextCondition"];
            /** @description The service's id in the catalog. */
            readonly service?: components["schemas"]["TextCondition"];
            /** @description The service's category in the catalog. */
            readonly category?: components["schemas"]["TextCondition"];
            /** @description The plan of a service. */
            readonly plan?: components["schemas"]["TextCondition"];
            readonly kya_level?: components["schemas"]["KyaLevelCondition"];
            /** @description `true` if the payee has never been paid before. */
            readonly payee_first_seen?: boolean;
            readonly time_utc?: components["schemas"]["TimeCondition"];
        };
        /** @description The largest total of the period. With `per_tx`, the largest amount of one operation. Only for limits. */
        readonly PolicyBudget: {
            /** @example 100.00 */
            readonly max: components["schemas"]["Amount"];
            /** @enum {string} */
            readonly currency?: "usd";
            /** @enum {string} */
            readonly period: "per_tx" | "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
        };
        readonly PolicyRule: {
            /** @description 1 to 64 letters, digits, underscores and hyphens, unique in the policy. `default`, `threshold`, `project_cap`, `provider_cap` and `max_fee` are reserved. */
            readonly id: string;
            /**
             * @description `deny` refuses. `limit` refuses what exceeds its `budget` or `count`, and permits nothing. `require_approval` permits what a person approves. `allow` permits.
             * @enum {string}
             */
            readonly effect: "allow" | "deny" | "limit" | "require_approval";
            /**
             * @description The operation that the rule is about. Default: `*`, every operation.
             * @enum {string}
             */
            readonly operation?: "payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create" | "*";
            readonly when?: components["schemas"]["PolicyConditions"];
            readonly budget?: components["schemas"]["PolicyBudget"];
            readonly count?: components["schemas"]["PolicyCount"];
            /** @description If `true`, the limit counts all agents of the policy together. Default: `false`, each agent for itself. Only for limits. */
            readonly shared?: boolean;
        };
        /** @description How people approve. An operation whose amount is more than `threshold_usd` needs an approval. */
        readonly PolicyApprovals: {
            /** @example 100.00 */
            readonly threshold_usd?: components["schemas"]["Amount"];
            /** @description Who can approve. Default: `["role:owner"]`, the account's owner. */
            readonly approvers?: readonly "role:owner"[];
            /** @description How many people have to approve. Default: 1. */
            readonly required?: number;
            /** @description After this time an approval expires. Default: 600. */
            readonly expires_in_seconds?: number;
        };
        /** @description A policy: the rules that decide what agents can do. */
        readonly Policy: {
            /** @enum {string} */
            readonly object: "policy";
            readonly policy_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly name: string;
            /** @description Number of the current version. The first version is 1, and each change adds one. */
            readonly version: number;
            /**
             * @description Status of the policy. `deleted` only in the `policy.updated` event of its deletion.
             * @enum {string}
             */
            readonly status: "active" | "deleted";
            /**
             * @description What happens to an operation that no rule allows: it is refused.
             * @enum {string}
             */
            readonly default: "deny";
            /** @description Whether this is the starter policy of the account and mode. It applies to agents to which no other policy applies, and cannot be deleted. */
            readonly starter: boolean;
            /** @description The agents, wallets and projects to which the policy applies. A key that is bound to agents sees only its own agents. It also applies to agents and projects whose `policy_id` is its id. */
            readonly applies_to: {
                readonly agent_ids: readonly string[];
                readonly wallet_ids: readonly string[];
                readonly project_ids: readonly string[];
            };
            /** @description The rules, in the order of the request. */
            readonly rules: readonly components["schemas"]["PolicyRule"][];
            readonly approvals: components["schemas"]["PolicyApprovals"];
            /** @description Conditions that no operation of this version can match, up to 50. `pointer` is the JSON pointer to each. Absent if there are none. */
            readonly warnings?: readonly {
                readonly pointer: string;
                readonly code: string;
                readonly detail: string;
            }[];
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
        readonly PolicyList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Policy"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        /** @description Absent fields are unchanged. `rules` and `approvals` are replaced as a whole. */
        readonly PolicyUpdateRequest: {
            /**
             * Format: visible
             * @description 1 to 100 characters on one line, without leading or trailing spaces.
             * @example buyer
             */
            readonly name?: string;
            /**
             * @description What happens to an operation that no rule allows. Only `deny` is supported.
             * @enum {string}
             */
            readonly default?: "deny";
            /** @description The agents, wallets and projects to which the policy applies, up to 1,000 of each. An absent list is unchanged. `null` empties all lists. */
            readonly applies_to?: {
                readonly agent_ids?: readonly string[];
                readonly wallet_ids?: readonly string[];
                readonly project_ids?: readonly string[];
            } | null;
            /** @description Up to 200 rules with up to 1,000 list elements in total. */
            readonly rules?: readonly components["schemas"]["PolicyRuleInput"][];
            /** @description How people approve. Replaces all current values. `null` restores the default values. */
            readonly approvals?: {
                /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
                readonly threshold_usd?: components["schemas"]["AmountInput"];
                /** @description Who can approve. Default: `["role:owner"]`, the account's owner. */
                readonly approvers?: readonly "role:owner"[];
                /** @description How many people have to approve. Default: 1. */
                readonly required?: number;
                /** @description After this time an approval expires. Default: 600. */
                readonly expires_in_seconds?: number;
            } | null;
            /** @description The policy's current `version`. Any other value fails with `version_conflict`. Default: the version is not checked. */
            readonly version?: number;
        };
        readonly PolicyRollbackRequest: {
            /** @description The version whose content the new version gets. */
            readonly version: number;
        };
        /** @description What is known about the operation. A rule about an unknown fact does not match. */
        readonly PolicyFacts: {
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly amount_usd?: components["schemas"]["AmountInput"];
            /** @description Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded. */
            readonly monthly_cost_usd?: components["schemas"]["AmountInput"];
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly payee?: string;
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly network?: string;
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly token?: string;
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly provider?: string;
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly service?: string;
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly category?: string;
            /**
             * Format: display
             * @description Text without line breaks, tabs or other control characters.
             */
            readonly plan?: string;
            /** @enum {string} */
            readonly kya_level?: "none" | "basic" | "verified" | "attested";
            readonly payee_first_seen?: boolean;
            /**
             * @description The time of the day in UTC, `HH:MM`. Default: the current time.
             * @example 12:00
             */
            readonly time_utc?: string;
        };
        readonly PolicyEvaluateRequest: {
            /** @enum {string} */
            readonly operation: "payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create";
            /** @description The UUID of an agent. */
            readonly agent_id?: string;
            /** @description The id of a wallet. */
            readonly wallet_id?: string;
            /** @description The id of a project. */
            readonly project_id?: string;
            /** @description Evaluates only this policy. */
            readonly policy_id?: string;
            /** @description Evaluates only this draft, which is not stored. Cannot be combined with `policy_id`. */
            readonly policy?: {
                /** @description Up to 200 rules with up to 1,000 list elements in total. */
                readonly rules: readonly components["schemas"]["PolicyRuleInput"][];
                readonly approvals?: components["schemas"]["PolicyApprovalsInput"];
            };
            readonly facts?: components["schemas"]["PolicyFacts"];
        };
        /** @description What policies decide about an operation. */
        readonly PolicyEvaluation: {
            /** @enum {string} */
            readonly object: "policy_evaluation";
            /** @enum {string} */
            readonly outcome: "allow" | "require_approval" | "deny";
            /** @description The policy. Null for a policy that is not stored. */
            readonly policy_id: string | null;
            /** @description The version of the policy. Null for a policy that is not stored. */
            readonly policy_version: number | null;
            /** @description The rule that decides: its id, `default` if no rule permits the operation, or `threshold` for an amount above `threshold_usd`. */
            readonly rule_id: string;
            /** @description As in the error that the operation would get. Null unless it is refused. */
            readonly decision: components["schemas"]["Decision"] | null;
            /** @description Each policy that applies, with what it decides alone. */
            readonly policies: readonly {
                /** @description The policy. Null for a policy that is not stored. */
                readonly policy_id: string | null;
                /** @description The version of the policy. Null for a policy that is not stored. */
                readonly version: number | null;
                /** @enum {string} */
                readonly outcome: "allow" | "require_approval" | "deny";
                /** @description The rule that decides: its id, `default` if no rule permits the operation, or `threshold` for an amount above `threshold_usd`. */
                readonly rule_id: string;
                readonly rules: readonly {
                    readonly rule_id: string;
                    /** @enum {string} */
                    readonly effect: "allow" | "deny" | "limit" | "require_approval";
                    /** @description Whether the rule is about this operation. */
                    readonly matched: boolean;
                    /** @description Why the rule matches, or why it does not. */
                    readonly reason: string;
                }[];
            }[];
        };
        readonly PolicyBacktestRequest: {
            /** @description The UUID of an agent. */
            readonly agent_id: string;
            /** @description The rules to test. Default: the policy's current rules. */
            readonly rules?: readonly components["schemas"]["PolicyRuleInput"][];
            readonly approvals?: components["schemas"]["PolicyApprovalsInput"];
        };
        /** @description What a policy would have decided about the past operations of an agent. */
        readonly Backtest: {
            /** @enum {string} */
            readonly object: "backtest";
            readonly policy_id: string;
            readonly agent_id: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly from: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly to: string;
            /** @description Number of operations of the agent in the period. */
            readonly decisions: number;
            /** @description Whether the agent has more than 100,000 operations in the period. Only the oldest 100,000 are counted. */
            readonly truncated: boolean;
            readonly totals: {
                /** @description Number of operations that would be allowed. */
                readonly allowed: number;
                /** @description Number of operations that would be refused. */
                readonly refused: number;
                /** @description Number of operations that would need an approval. */
                readonly asked: number;
                /** @example 100.00 */
                readonly allowed_usd: components["schemas"]["Amount"];
                /** @example 100.00 */
                readonly refused_usd: components["schemas"]["Amount"];
                /** @example 100.00 */
                readonly asked_usd: components["schemas"]["Amount"];
            };
            /** @description The rules that would refuse an operation or ask for an approval. */
            readonly by_rule: readonly {
                /** @description A rule's id, `default` if no rule permits, or `threshold`. */
                readonly rule_id: string;
                /** @description Number of operations that would be refused. */
                readonly refused: number;
                /** @description Number of operations that would need an approval. */
                readonly asked: number;
                /**
                 * @description Total amount of the operations that would be refused or need an approval.
                 * @example 100.00
                 */
                readonly amount_usd: components["schemas"]["Amount"];
            }[];
            /** @description The days with operations, oldest first. */
            readonly by_day: readonly {
                /** @description A day in UTC, `YYYY-MM-DD`. */
                readonly date: string;
                /** @description Number of operations that would be allowed. */
                readonly allowed: number;
                /** @description Number of operations that would be refused. */
                readonly refused: number;
                /** @description Number of operations that would need an approval. */
                readonly asked: number;
                /**
                 * @description Total amount of the operations that would be refused or need an approval.
                 * @example 100.00
                 */
                readonly amount_usd: components["schemas"]["Amount"];
            }[];
        };
        readonly AgentCreateRequest: {
            /** @description A UUID that no other agent of this mode has or had. Default: a new random one. Required with `public_key`. */
            readonly agent_id?: string;
            /**
             * Format: visible
             * @description A name for the agent: 1 to 100 printable characters.
             * @example buyer-1
             */
            readonly name: string;
            /**
             * Format: display
             * @description Up to 1,000 characters without NUL. `null` means no description.
             */
            readonly description?: string | null;
            /** @description The name, version and model of the software that the agent runs. */
            readonly software?: {
                /**
                 * Format: display
                 * @description Text without line breaks, tabs or other control characters.
                 */
                readonly name?: string;
                /**
                 * Format: display
                 * @description Text without line breaks, tabs or other control characters.
                 */
                readonly version?: string;
                /**
                 * Format: display
                 * @description Text without line breaks, tabs or other control characters.
                 */
                readonly model?: string;
            } | null;
            /**
             * Format: date-time
             * @description When the agent expires. Must be in the future. An agent expires no later than its parent: a later time, and `null`, are replaced with the parent's expiry.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string | null;
            /** @description A policy of the same mode that applies to the agent in addition to those that name it. */
            readonly policy_id?: string | null;
            /** @description An Ed25519 public key: 32 bytes encoded as Base64url. Must be sent with `proof`. */
            readonly public_key?: string;
            /** @description An Ed25519 signature over the text `svc-ed25519-pop-v1\n<agent_id>\n<public_key>`, made with the private key and encoded as Base64url. `<agent_id>` is in lowercase. It proves that the agent holds the private key. */
            readonly proof?: string;
            /** @description The agent that this agent acts for. It must be active and have at most two ancestors. It cannot be changed later. */
            readonly parent_agent_id?: string | null;
            /** @description Up to 50 key-value pairs that you choose. Default: `{}`. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly AgentKya: {
            /**
             * @description The level of the highest evidence. `attested`: a token of another issuer. `verified`: the developer's business is verified. `basic`: a public key whose private key the agent holds.
             * @enum {string}
             */
            readonly level: "none" | "basic" | "verified" | "attested";
            /** @description Always null in this API version. */
            readonly score: number | null;
            /**
             * @description `passed` if the level is not `none`. `expired` if the only evidence is an expired token, else `pending`. `failed` is reserved.
             * @enum {string}
             */
            readonly status: "passed" | "failed" | "pending" | "expired";
            readonly evidence: readonly {
                /** @enum {string} */
                readonly type: "developer_kyb" | "public_key" | "external_token";
                /** @description The issuer of an external token. */
                readonly issuer?: string;
                /** @enum {string} */
                readonly status: "verified" | "proven" | "expired";
            }[];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly evaluated_at: string;
            /** @description When the evidence for the level expires. Null if it never does. */
            readonly expires_at: string | null;
            /** @description URL path that returns a token about the agent. */
            readonly token_url: string;
        };
        readonly PeriodBudget: {
            /** @example 50.00 */
            readonly limit: components["schemas"]["Amount"];
            /** @example 3.10 */
            readonly used: components["schemas"]["Amount"];
            /** @example 46.90 */
            readonly remaining: components["schemas"]["Amount"];
        };
        readonly Agent: {
            /** @enum {string} */
            readonly object: "agent";
            /** Format: uuid */
            readonly agent_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly name: string;
            readonly description: string | null;
            /**
             * @description Status of the agent. Only an `active` agent can act, and only while all its ancestors are active. `revoked` and `expired` are final.
             * @enum {string}
             */
            readonly status: "active" | "suspended" | "revoked" | "expired";
            readonly owner_developer_id: string;
            /** @description The projects whose `agent_ids` include the agent, at most 100. */
            readonly project_ids: readonly string[];
            /** @description A policy that applies to the agent in addition to those that name it. */
            readonly policy_id: string | null;
            readonly kya: components["schemas"]["AgentKya"];
            /** @description Public keys whose private keys the agent has proved to hold. */
            readonly public_keys: readonly {
                /** @description The first 16 hex characters of the SHA-256 of the raw public key. */
                readonly kid: string;
                /** @enum {string} */
                readonly alg: "ed25519";
                /** @description The raw public key in base64url. */
                readonly public_key: string;
            }[];
            readonly software: {
                readonly name?: string;
                readonly version?: string;
                readonly model?: string;
            } | null;
            /** @description What the limits of its policies leave. Null if there are none, and in every response but that of `GET /agents/{agent_id}`. */
            readonly budget: {
                /** @enum {string} */
                readonly currency: "usd";
                readonly daily: components["schemas"]["PeriodBudget"] | null;
                readonly monthly: components["schemas"]["PeriodBudget"] | null;
            } | null;
            /** @description When the agent expires. Null if it never does. */
            readonly expires_at: string | null;
            /** @description The agent that this agent acts for. Its policies apply too. */
            readonly parent_agent_id: string | null;
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
        };
        readonly AgentList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Agent"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly AgentUpdateRequest: {
            /**
             * Format: visible
             * @description A name for the agent: 1 to 100 printable characters.
             * @example buyer-1
             */
            readonly name?: string;
            /**
             * Format: display
             * @description Up to 1,000 characters without NUL. `null` means no description.
             */
            readonly description?: string | null;
            /** @description The name, version and model of the software that the agent runs. */
            readonly software?: {
                /**
                 * Format: display
                 * @description Text without line breaks, tabs or other control characters.
                 */
                readonly name?: string;
                /**
                 * Format: display
                 * @description Text without line breaks, tabs or other control characters.
                 */
                readonly version?: string;
                /**
                 * Format: display
                 * @description Text without line breaks, tabs or other control characters.
                 */
                readonly model?: string;
            } | null;
            /**
             * Format: date-time
             * @description When the agent expires. Must be in the future. An agent expires no later than its parent: a later time, and `null`, are replaced with the parent's expiry.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string | null;
            /** @description A policy of the same mode that applies to the agent in addition to those that name it. */
            readonly policy_id?: string | null;
            /** @description An Ed25519 public key: 32 bytes encoded as Base64url. Must be sent with `proof`. */
            readonly public_key?: string;
            /** @description An Ed25519 signature over the text `svc-ed25519-pop-v1\n<agent_id>\n<public_key>`, made with the private key and encoded as Base64url. `<agent_id>` is in lowercase. It proves that the agent holds the private key. */
            readonly proof?: string;
            /** @description Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update. */
            readonly metadata?: {
                readonly [key: string]: string | null;
            } | null;
            /** @description A JWT of a supported issuer about the agent, which gives the level `attested` until the token expires. `sub` must be `{mode}/{developer_id}/{agent_id}`; or `sub` or `agent_id` the agent's id, `owner` the `developer_id` and `mode` the mode. Each `jti` is accepted once. `aud` must be this server's URL, and `exp` at most one year ahead. Algorithms: ES256, EdDSA, RS256. `null` removes the stored token. */
            readonly external_token?: string | null;
        };
        readonly AgentLimit: {
            readonly policy_id: string;
            readonly policy_name: string;
            readonly policy_version: number;
            readonly rule_id: string;
            /** @description The operation that the rule is about. Null: every operation. */
            readonly operation: ("payment" | "x402" | "mpp" | "contract_call" | "service.add" | "service.upgrade" | "env.pull" | "on_ramp" | "off_ramp" | "wallet.create") | null;
            /** @description Whether the rule has conditions, so that not every operation counts. */
            readonly conditional: boolean;
            /**
             * @description Whether amounts or operations are limited.
             * @enum {string}
             */
            readonly kind: "budget" | "count";
            /**
             * @description `per_tx`: each single operation.
             * @enum {string}
             */
            readonly window: "per_tx" | "calendar_day" | "calendar_month" | "rolling_1h" | "rolling_24h" | "rolling_7d" | "rolling_30d";
            /** @description Whether all agents of the policy count together. */
            readonly shared: boolean;
            /** @description The agent that counts: this one, or an ancestor. Null for a shared limit, and for `per_tx`. */
            readonly agent_id: string | null;
            /** @description The limit applies only to this wallet of the agent. Null: to all. */
            readonly wallet_id: string | null;
            /** @description The limit applies only in this project. Null: in all. */
            readonly project_id: string | null;
            /** @description Null for a `count`. */
            readonly currency: "usd" | null;
            /** @description An amount in US dollars, or a number of operations for a `count`. */
            readonly limit: string;
            /** @description What was used of it in the window. */
            readonly spent: string;
            /** @description What is held of it, for example for authorizations. */
            readonly reserved: string;
            /** @description What is neither spent nor reserved. */
            readonly remaining: string;
            /** @description When what is used decreases next. Null if nothing is used, and for `per_tx`. */
            readonly resets_at: string | null;
        };
        readonly AgentCap: {
            /**
             * @description As in the refusal `cap_exceeded`.
             * @enum {string}
             */
            readonly rule_id: "project_cap" | "provider_cap";
            readonly project_id: string;
            readonly project_name: string;
            /** @description The provider of a `provider_cap`. Null for a `project_cap`. */
            readonly provider: string | null;
            /**
             * @description What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.
             * @enum {string}
             */
            readonly cap_behavior: "block" | "require_approval";
            /** @enum {string} */
            readonly window: "calendar_month";
            /** @enum {string} */
            readonly currency: "usd";
            /** @example 100.00 */
            readonly limit: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly spent: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly reserved: components["schemas"]["Amount"];
            /** @example 100.00 */
            readonly remaining: components["schemas"]["Amount"];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly resets_at: string;
        };
        readonly AgentBudgets: {
            /** @enum {string} */
            readonly object: "agent_budgets";
            /** Format: uuid */
            readonly agent_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The limits of the policies of the agent and its ancestors, and of those of its wallets and projects. */
            readonly limits: readonly components["schemas"]["AgentLimit"][];
            /** @description The monthly caps of the 20 newest projects that list the agent. */
            readonly caps: readonly components["schemas"]["AgentCap"][];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly as_of: string;
        };
        readonly AgentStatusRequest: {
            /**
             * Format: display
             * @description Why the status changes, for the audit trail. Up to 500 characters.
             */
            readonly reason?: string;
        };
        readonly CreateAgentKeyRequest: {
            /**
             * Format: visible
             * @description A name for the key: up to 100 characters on one line.
             */
            readonly name: string;
            /**
             * @description The signature algorithm for requests. Default: `hmac-sha256`.
             * @enum {string}
             */
            readonly signature_alg?: "hmac-sha256" | "ed25519";
            /** @description The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key. */
            readonly public_key?: string;
            /** @description An Ed25519 signature over the text `svc-ed25519-pop-v1\n<developer_id>\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`. */
            readonly proof?: string;
            /** @description The scopes of the key. Default: the caller's scopes except `approvals:write`. If the new key is a test key, the default does not include `audit:read` either. */
            readonly scopes?: readonly ("projects:read" | "projects:write" | "services:write" | "env:read" | "wallets:read" | "wallets:write" | "wallets:freeze" | "payments:read" | "payments:write" | "fiat:read" | "fiat:write" | "agents:read" | "agents:write" | "policies:read" | "policies:write" | "approvals:read" | "approvals:write" | "keys:read" | "keys:write" | "provider_keys:read" | "provider_keys:write" | "audit:read" | "webhooks:read" | "webhooks:write" | "events:read" | "kill_switch:write")[];
            /** @description Ids of the projects that the key is bound to. The projects must have the same mode as the key. Default: the `project_ids` of the calling key. */
            readonly project_ids?: readonly string[];
            /** @description Networks that requests must come from, as IPv4 or IPv6 CIDR blocks. Default: the `ip_allowlist` of the calling key. */
            readonly ip_allowlist?: readonly string[];
            /**
             * Format: date-time
             * @description When the key expires. Must be in the future. Send `null` for a key that never expires. Default: the `expires_at` of the calling key.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string | null;
            /** @description Maximum requests per minute. Send `null` for the standard limit for API keys. Default: the `rate_limit_per_minute` of the calling key. */
            readonly rate_limit_per_minute?: number | null;
            /** @description Up to 50 key-value pairs that you choose. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly KyaToken: {
            /** @enum {string} */
            readonly object: "kya_token";
            /** @description A JWT with `typ` `kya+jwt`, signed with EdDSA. Claims: `iss` (this server), `sub` (the agent: `{mode}/{developer_id}/{agent_id}`), `aud`, `iat`, `exp`, `jti`, `kya_level`, `owner` (the developer's id), `name` and `mode`. */
            readonly token: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
            /** @description The public keys that verify the token. */
            readonly jwks_url: string;
        };
        readonly WalletCreateRequest: {
            /** @description The agent that owns the wallet: a UUID. An unknown id creates the agent, with the starter policy. */
            readonly agent_id: string;
            /**
             * @description A network's name or CAIP-2 id, for example `base` or `eip155:8453`.
             * @enum {string}
             */
            readonly network: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
            /**
             * @description A name for the wallet: 2 to 36 letters, digits and hyphens.
             * @example ops
             */
            readonly name?: string | null;
            /**
             * @description The kind of account. Default: `erc4337_v0.8`.
             * @enum {string}
             */
            readonly account_type?: "erc4337_v0.8";
            /**
             * @description When the account's contract is deployed. Default: `counterfactual`, with the first payment. With `immediate`, a live wallet is `deploying` until a final block contains its contract. In test mode no contract is deployed, and `immediate` has no effect.
             * @enum {string}
             */
            readonly deploy?: "counterfactual" | "immediate";
            /**
             * @description Who pays for the network. Default: `sponsored`.
             * @enum {string}
             */
            readonly gas?: "sponsored";
            /** @description A policy of the same mode that applies to the wallet in addition to those that name it. */
            readonly policy_id?: string | null;
            /** @description The address that can replace a lost key after a delay, in one case or with the checksum of EIP-55. */
            readonly recovery_address?: string | null;
            /** @description Up to 50 key-value pairs that you choose. Default: `{}`. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly WalletBalance: {
            /** @enum {string} */
            readonly token: "USDC" | "USDT" | "PYUSD" | "EURC";
            /** @description The token's contract on the network. Null if Purser does not know it. */
            readonly contract: string | null;
            /** @description One token is 10 to this power base units. */
            readonly decimals: number;
            /**
             * @description The balance of the wallet: in `GET …/balance` of a live wallet, that on the chain.
             * @example 100.00
             */
            readonly total: components["schemas"]["Amount"];
            /**
             * @description What the wallet can pay: the balance in the ledger minus `held`. The ledger has a deposit once it is final.
             * @example 100.00
             */
            readonly available: components["schemas"]["Amount"];
            /**
             * @description What is held for payments that are not settled.
             * @example 100.00
             */
            readonly held: components["schemas"]["Amount"];
            /** @description `total` in the smallest unit of the token. */
            readonly base_units: string;
            /** @description The value of `total` in US dollars. Null for EURC. */
            readonly usd_value: components["schemas"]["Amount"] | null;
        };
        readonly Wallet: {
            /** @enum {string} */
            readonly object: "wallet";
            /** @example wal_01k3z5qexrf1xv2hj4nb9c8w7d */
            readonly wallet_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** Format: uuid */
            readonly agent_id: string;
            readonly name: string | null;
            /** @enum {string} */
            readonly network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            /**
             * @description The network's CAIP-2 id.
             * @example eip155:8453
             */
            readonly chain_id: string;
            /** @description The address of the smart account, with the checksum of EIP-55. It can receive tokens before it is deployed. */
            readonly address: string;
            /** @enum {string} */
            readonly account_type: "erc4337_v0.8";
            /** @description The contract that runs the account's operations. */
            readonly entry_point: string;
            /** @description The contract that deploys the account. */
            readonly factory: string;
            /** @description Distinguishes accounts of one owner. Always 0. */
            readonly salt: string;
            /** @description The address of the key that signs for the account. */
            readonly owner: string;
            /** @description The address that can replace a lost key after a delay. Null for none. */
            readonly recovery_address: string | null;
            /**
             * @description `counterfactual`: the address is known, and its contract is not deployed yet.
             * @enum {string}
             */
            readonly deployment_status: "counterfactual" | "deploying" | "deployed" | "failed";
            readonly deployment_tx: string | null;
            /** @enum {string} */
            readonly status: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
            /**
             * @description Who pays for the network: Purser.
             * @enum {string}
             */
            readonly gas: "sponsored";
            /** @description A policy that applies to the wallet in addition to those that name it. */
            readonly policy_id: string | null;
            readonly freeze: components["schemas"]["WalletFreeze"];
            /** @description One balance for each token. */
            readonly balances: readonly components["schemas"]["WalletBalance"][];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly balances_as_of: string;
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
        };
        readonly WalletList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Wallet"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly AgentWallets: {
            /** @enum {string} */
            readonly object: "list";
            /** Format: uuid */
            readonly agent_id: string;
            readonly data: readonly components["schemas"]["Wallet"][];
        };
        readonly WalletUpdateRequest: {
            /**
             * @description A name for the wallet: 2 to 36 letters, digits and hyphens.
             * @example ops
             */
            readonly name?: string | null;
            /** @description Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update. */
            readonly metadata?: {
                readonly [key: string]: string | null;
            } | null;
        };
        readonly WalletBalances: {
            /** @enum {string} */
            readonly object: "wallet_balances";
            readonly wallet_id: string;
            /** @enum {string} */
            readonly network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            readonly balances: readonly components["schemas"]["WalletBalance"][];
            /**
             * @description Where the balances were read: `chain` for those of live wallets, if the network answers.
             * @enum {string}
             */
            readonly source: "cache" | "database" | "chain";
            /**
             * Format: date-time
             * @description When the balances were read.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly as_of: string;
            /** @description Whether the network of a live wallet did not answer. The totals are then those of the ledger. */
            readonly stale: boolean;
        };
        readonly WalletActivity: {
            /** @enum {string} */
            readonly object: "wallet_activity";
            /** @description The id of the funding, the deposit, the payment, the refund or the change of the freeze. */
            readonly activity_id: string;
            /**
             * @description `deposit`: test tokens, a transfer on the chain of a live wallet, or a payment to the wallet. `payment`: a payment by it. `refund`: a refund of a payment by it (`in`) or to it (`out`).
             * @enum {string}
             */
            readonly type: "deposit" | "payment" | "refund" | "freeze" | "unfreeze";
            readonly wallet_id: string;
            readonly token: ("USDC" | "USDT" | "PYUSD" | "EURC") | null;
            /** @description Whether the money enters or leaves the wallet. Null for a change of the freeze. */
            readonly direction: ("in" | "out") | null;
            /** @description Without a sign. Null for a change of the freeze. */
            readonly amount: components["schemas"]["Amount"] | null;
            /** @description What has entered the wallet or, with a minus, left it. `0.00` if nothing has, for example of an authorization that is not captured. Null for a change of the freeze. */
            readonly signed_amount: string | null;
            /** @description What was captured of an authorization by the wallet. Null for all else, and until it is captured. */
            readonly captured_amount: components["schemas"]["Amount"] | null;
            /** @description The status of the payment. `confirmed` for test tokens and for refunds. A transfer on the chain is `pending` until it is final, then `confirmed`. */
            readonly status: ("requires_approval" | "approved" | "queued" | "signing" | "submitted" | "confirmed" | "authorized" | "captured" | "voided" | "denied" | "rejected" | "expired" | "canceled" | "failed" | "dropped" | "refunded" | "partially_refunded" | "pending") | null;
            /** @description The transaction of a transfer on the chain. */
            readonly tx_hash: string | null;
            /** @description The payment, or the one that was refunded. */
            readonly payment_id: string | null;
            /** @description The freeze that was made or lifted, and by whom. Null for other types. */
            readonly freeze: {
                /** @enum {string} */
                readonly mode: "outgoing_only" | "full";
                /** @enum {string} */
                readonly source: "developer" | "admin";
                readonly reason: ("compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other") | null;
                readonly note: string | null;
                readonly reference: string | null;
                readonly by: components["schemas"]["Actor"];
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly WalletActivityList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["WalletActivity"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        /**
         * Format: decimal
         * @example 100.00
         */
        readonly PositiveAmountInput: string | number;
        readonly WalletFundRequest: {
            /** @description The amount to add, greater than zero and at most 10,000. Never rounded. */
            readonly amount: components["schemas"]["PositiveAmountInput"];
            /**
             * @description The token to add. Default: `USDC`.
             * @enum {string}
             */
            readonly token?: "USDC" | "USDT" | "PYUSD" | "EURC";
        };
        readonly WalletFunding: {
            /** @enum {string} */
            readonly object: "wallet_funding";
            readonly funding_id: string;
            readonly wallet_id: string;
            /** @enum {string} */
            readonly token: "USDC" | "USDT" | "PYUSD" | "EURC";
            /** @example 100.00 */
            readonly amount: components["schemas"]["Amount"];
            /** @description The balances afterwards. */
            readonly balances: readonly components["schemas"]["WalletBalance"][];
            /** @enum {string} */
            readonly mode: "test";
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly WalletFreezeRequest: {
            /**
             * @description Why the wallet is frozen.
             * @enum {string}
             */
            readonly reason: "compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other";
            /**
             * Format: display
             * @description A note of up to 1000 characters. Required if `reason` is `other`.
             */
            readonly note?: string;
            /**
             * Format: display
             * @description A reference for the freeze, for example a case number.
             */
            readonly reference?: string;
            /**
             * Format: display
             * @description Like `reference`, which takes precedence.
             */
            readonly review_reference?: string;
            /**
             * Format: date-time
             * @description When the freeze should be reviewed. Must be in the future. The freeze does not end then.
             */
            readonly expires_at?: string;
            /**
             * @description `agent` freezes all wallets of the wallet's agent in this mode. Default: `wallet`.
             * @enum {string}
             */
            readonly scope?: "wallet" | "agent";
            /**
             * @description `outgoing_only` refuses outgoing payments. `full` also refuses `fund` and incoming payments from wallets of the account. Default: `full`. A freeze by an admin is always `full`.
             * @enum {string}
             */
            readonly mode?: "outgoing_only" | "full";
        };
        /** @description A signed proof of this object, which anyone can verify offline. */
        readonly RevocationProof: {
            /** @description The id of the freeze or the kill switch. */
            readonly revocation_id: string;
            /** @description Lowercase hex SHA-256 of the canonical JSON (RFC 8785) of this object without `proof`, and with `revocation_id`. */
            readonly decision_hash: string;
            /** @description Ed25519 signature in base64url. */
            readonly signature: string;
            /** @enum {string} */
            readonly alg: "ed25519";
            /** @description The key's id in `/.well-known/jwks.json`. */
            readonly kid: string;
        };
        readonly WalletFreezeReport: {
            readonly wallet_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @enum {string} */
            readonly status: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
            readonly freeze: components["schemas"]["WalletFreeze"];
            /** @description The freeze of the account's contract: `confirmed` once a block contains it, `pending` until then, `failed` after 10 minutes. `simulated` in test mode. */
            readonly onchain: {
                /** @enum {string} */
                readonly status: "not_frozen" | "pending" | "confirmed" | "failed" | "unfreeze_pending" | "simulated";
                /** @description Always null: a freeze is a transaction of Purser, not of the account. */
                readonly user_op_hash: string | null;
                /** @description The transaction. It can change until the freeze is `confirmed`. */
                readonly tx_hash: string | null;
                readonly block_number: number | null;
            };
            readonly blocked: {
                /** @description The payments that waited for an approval, a capture or their turn. Purser cancels them shortly after the freeze. */
                readonly payments_canceled: number;
                /** @description The operations that were being signed or sent, and were in no block. The freeze on the chain ends them. */
                readonly user_ops_dropped: number;
                /** @description The operations that were in a block that was not final yet. Their payments are made. */
                readonly user_ops_already_mined: number;
            };
            readonly proof: components["schemas"]["RevocationProof"];
        };
        readonly WalletUnfreezeRequest: {
            /**
             * @description Which reason no longer holds. It is stored with the history of freezes.
             * @enum {string}
             */
            readonly reason?: "compliance" | "compliance_review" | "suspected_compromise" | "sanctions_match" | "policy_violation" | "anomaly" | "user_request" | "legal_order" | "other";
            /**
             * Format: display
             * @description A note that is stored with the history of freezes. Up to 1000 characters.
             */
            readonly note?: string;
            /**
             * Format: display
             * @description Like `review_reference`, which takes precedence.
             */
            readonly reference?: string;
            /**
             * Format: display
             * @description A reference for the review, for example a case number.
             */
            readonly review_reference?: string;
        };
        readonly PaymentSendRequest: {
            /**
             * Format: uuid
             * @description The agent that pays. Must be equal to the `X-Agent-ID` header.
             */
            readonly agent_id: string;
            /** @description What the payee gets, greater than zero. Fees come on top. Up to the token's decimals; never rounded. */
            readonly amount: components["schemas"]["PositiveAmountInput"];
            /** @description A stablecoin of US dollars: `USDC`, `USDT` or `PYUSD`. Default: `USDC`. */
            readonly token?: string;
            /**
             * @description The network of the wallet, as a name such as `base` or as a CAIP-2 id. Required if the agent has wallets on several networks and `wallet_id` is missing.
             * @enum {string}
             */
            readonly network?: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
            /** @description The wallet that pays. Default: the agent's wallet on `network`. */
            readonly wallet_id?: string;
            /** @description The payee: an address, an agent's id (its wallet on the same network) or a wallet's id, as an object with `type` and `value` or as a string. Purser cannot pay `x402_url` and `merchant` yet. A wallet of the same account is paid at once. */
            readonly to: string | {
                /** @enum {string} */
                readonly type: "address" | "agent" | "wallet" | "x402_url" | "merchant";
                /** @description Text without NUL characters. */
                readonly value: string;
            };
            /**
             * Format: display
             * @description Why the agent pays. Shown to the person who approves the payment.
             */
            readonly purpose?: string;
            /**
             * Format: display
             * @description Your own reference.
             */
            readonly reference?: string;
            /**
             * @description `authorize_only` holds the amount until it is captured or voided. Default: `auto`.
             * @enum {string}
             */
            readonly execution?: "auto" | "authorize_only";
            /** @description The payment is refused if its fees are higher. It never lowers the amount. Test payments have no fees. */
            readonly max_fee?: components["schemas"]["AmountInput"];
            /**
             * Format: date-time
             * @description When the payment expires while it waits for an approval or a capture. In the future, and for `authorize_only` at most 7 days from now, which is the default.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at?: string;
            /** @description The project whose monthly cap the payment counts toward. Required if the agent belongs to several projects. */
            readonly project_id?: string;
            /** @description Not supported in this version: 422. */
            readonly mandate?: unknown;
            /** @description With `true`, responds as `POST /payments/simulate` does, and changes nothing. Default: false. */
            readonly simulate?: boolean;
            /** @description Up to 50 key-value pairs that you choose. Default: `{}`. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        /** @description Who is paid. */
        readonly PaymentPayee: {
            /** @enum {string} */
            readonly type: "address" | "agent" | "wallet" | "x402_url" | "merchant";
            /** @description The payee as the request named it. An address has the checksum of EIP-55. */
            readonly value: string;
            /** @description The address that is paid, with the checksum of EIP-55. */
            readonly address: string;
            /** @description The wallet of the same account that is paid. Null for any other address. */
            readonly wallet_id: string | null;
        };
        /** @description What the agent's policies decided, and the rule that decided. */
        readonly PolicyVerdict: {
            /** @enum {string} */
            readonly outcome: "allow" | "require_approval" | "deny";
            readonly policy_id: string | null;
            readonly policy_version: number | null;
            readonly rule_id: string | null;
            /**
             * @description The agent's know-your-agent level.
             * @enum {string}
             */
            readonly kya_level: "none" | "basic" | "verified" | "attested";
            /** @description Always null in this version. */
            readonly screening: null;
        };
        readonly PaymentFee: {
            /** @enum {string} */
            readonly type: "network";
            /** @example 100.00 */
            readonly amount: components["schemas"]["Amount"];
            /** @description Whether Purser pays the fee. */
            readonly sponsored: boolean;
        };
        readonly PaymentOnchain: {
            /** @description The hash of the account's operation (ERC-4337). */
            readonly user_op_hash: string;
            /** @description The transaction that contains the operation. It can change until the payment is `confirmed`. */
            readonly tx_hash: string | null;
            /** @description The first 192 bits of the operation's nonce, in hex. */
            readonly nonce_key: string;
            readonly block_number: number | null;
            /** @description The blocks from that block to the newest, as last seen. */
            readonly confirmations: number;
        };
        readonly Payment: {
            /** @enum {string} */
            readonly object: "payment";
            readonly payment_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The agent that pays. */
            readonly agent_id: string;
            /** @description The wallet that pays. */
            readonly wallet_id: string;
            readonly network: string;
            readonly token: string;
            /**
             * @description The amount that the payee gets.
             * @example 100.00
             */
            readonly amount: components["schemas"]["Amount"];
            /** @description The amount that the payee got. Less than `amount` if less was captured. Null until the payee is paid. */
            readonly paid_amount: components["schemas"]["Amount"] | null;
            /**
             * @description The part of `paid_amount` that was refunded.
             * @example 100.00
             */
            readonly refunded_amount: components["schemas"]["Amount"];
            readonly to: components["schemas"]["PaymentPayee"];
            /** @enum {string} */
            readonly status: "requires_approval" | "approved" | "queued" | "signing" | "submitted" | "confirmed" | "authorized" | "captured" | "voided" | "denied" | "rejected" | "expired" | "canceled" | "failed" | "dropped" | "refunded" | "partially_refunded";
            /** @enum {string} */
            readonly execution: "auto" | "authorize_only";
            readonly purpose: string | null;
            readonly reference: string | null;
            readonly decision: components["schemas"]["PolicyVerdict"];
            /** @description The project whose monthly cap the payment counts toward. */
            readonly project_id: string | null;
            /** @description The amount in the budgets. Null if the payment counts toward none. */
            readonly reservation: {
                readonly reservation_id: string;
                /** @example 100.00 */
                readonly amount: components["schemas"]["Amount"];
            } | null;
            /** @description What the payment costs on top of `amount`. Purser pays for the network. */
            readonly fees: readonly components["schemas"]["PaymentFee"][];
            /** @description The payment on its network. Null in test mode, and until the payment is signed. */
            readonly onchain: components["schemas"]["PaymentOnchain"] | null;
            /** @description The newest approval of the payment. Null if none was required. */
            readonly approval: {
                readonly approval_id: string;
                /** @description URL path that approves the payment with POST. */
                readonly approve_url: string;
                /** @description URL of the page on which the developer decides, after logging in. */
                readonly approve_page_url: string;
                /** @description URL path that responds as soon as the approval is decided. */
                readonly long_poll_url: string;
            } | null;
            /** @description Why the payment ended without paying. Null otherwise. */
            readonly failure: components["schemas"]["Failure"] | null;
            /** @description A signed proof of the payment, which anyone can verify offline. Null until the payee is paid. */
            readonly receipt: {
                readonly payment_id: string;
                /** @description The network's CAIP-2 id. Null in test mode. */
                readonly chain_id: string | null;
                /** @description Lowercase hex SHA-256 of the receipt's canonical JSON (RFC 8785). */
                readonly hash: string;
                /** @description Ed25519 signature in base64url. */
                readonly signature: string;
                /** @enum {string} */
                readonly alg: "ed25519";
                /** @description The key's id in `/.well-known/jwks.json`. */
                readonly kid: string;
            } | null;
            readonly metadata: {
                readonly [key: string]: string;
            };
            /** @description When the approval or the authorization expires. Null if the payment never waited. */
            readonly expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /** @description When the payee was paid. */
            readonly settled_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
        };
        readonly PaymentSimulation: {
            /** @enum {string} */
            readonly object: "payment_simulation";
            /**
             * @description `allow` if the payment would be made, `require_approval` if a person would be asked, and `deny` if it would be refused.
             * @enum {string}
             */
            readonly outcome: "allow" | "require_approval" | "deny";
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The agent that pays. */
            readonly agent_id: string;
            /** @description The wallet that pays. */
            readonly wallet_id: string;
            readonly network: string;
            readonly token: string;
            /**
             * @description The amount that the payee gets.
             * @example 100.00
             */
            readonly amount: components["schemas"]["Amount"];
            /** @description What the payment costs on top of `amount`. Purser pays for the network. */
            readonly fees: readonly components["schemas"]["PaymentFee"][];
            readonly to: components["schemas"]["PaymentPayee"];
            /** @description The project whose monthly cap the payment counts toward. */
            readonly project_id: string | null;
            readonly decision: components["schemas"]["PolicyVerdict"];
            /** @description The error that the payment would fail with. Null unless it would be refused. */
            readonly refusal: components["schemas"]["Problem"] | null;
        };
        /** @description The payment or, with `simulate`, what it would do. */
        readonly PaymentOrSimulation: components["schemas"]["Payment"] | components["schemas"]["PaymentSimulation"];
        readonly PaymentList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Payment"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly CapturePaymentRequest: {
            /** @description The amount to pay: at most the payment's `amount`. Default: the whole amount. */
            readonly amount?: components["schemas"]["PositiveAmountInput"];
        };
        readonly VoidPaymentRequest: Record<string, never>;
        readonly RefundPaymentRequest: {
            /** @description The amount to refund: at most what was paid and is not refunded yet. Default: all of that. */
            readonly amount?: components["schemas"]["PositiveAmountInput"];
            /**
             * Format: display
             * @description Why the payment is refunded, for the audit trail.
             */
            readonly reason?: string;
        };
        readonly CancelPaymentRequest: Record<string, never>;
        readonly LinkAccountRequest: {
            /**
             * @description Who holds the account. Default: `individual`.
             * @enum {string}
             */
            readonly account_holder_type?: "individual" | "business";
            /** @description The banks' country: only `US`. */
            readonly country_codes?: readonly "US"[];
            /**
             * @description The language of Plaid's pages. Default: `en`.
             * @enum {string}
             */
            readonly language?: "en" | "es" | "fr";
            /** @description The page to which a bank that logs in by OAuth sends the user back. It must be registered in Plaid's dashboard, and use https, or http with a loopback host. */
            readonly redirect_uri?: string;
            /** @description The accounts that the user can choose. Default: both. */
            readonly account_subtypes?: readonly ("checking" | "savings")[];
            /** @description An account to link again, whose status is `relink_required`. Only `language` and `redirect_uri` can be sent with it, and no verify-account follows. */
            readonly account_id?: string;
            /**
             * @description `instant`: by a login at the bank. `micro_deposit`: by a small deposit, which takes days, for banks without such a login. Default: `instant`.
             * @enum {string}
             */
            readonly verification_method?: "instant" | "micro_deposit";
            /**
             * Format: display
             * @description Your own reference, repeated in the events of the account.
             */
            readonly webhook_ref?: string;
        };
        readonly LinkToken: {
            /** @enum {string} */
            readonly object: "link_token";
            /**
             * @description Start Plaid Link with it in the user's browser.
             * @example link-sandbox-…
             */
            readonly link_token: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expiration: string;
            /** @description Always null in this version. */
            readonly hosted_link_url: null;
            readonly request_id: string;
        };
        readonly VerifyAccountRequest: {
            /**
             * Format: display
             * @description The public token from Plaid Link.
             */
            readonly public_token: string;
            /**
             * Format: display
             * @description Plaid's id of the account that the user chose.
             */
            readonly account_id: string;
            /**
             * Format: display
             * @description Ignored in favor of Plaid's.
             */
            readonly institution_id?: string;
            /**
             * Format: display
             * @description Ignored in favor of Plaid's.
             */
            readonly institution_name?: string;
            /** @description The holder. What is missing is read from the bank. Stored encrypted and apart from everything else, and never returned. */
            readonly account_holder?: {
                /**
                 * @description Default: that of link-account.
                 * @enum {string}
                 */
                readonly type?: "individual" | "business";
                /**
                 * Format: visible
                 * @description Must be the name of the account's owner at the bank.
                 */
                readonly legal_name?: string;
                /**
                 * Format: email
                 * @description An email address. Stored in lowercase, with an international domain as Punycode.
                 * @example ada@example.com
                 */
                readonly email?: string;
                /**
                 * @description A phone number in E.164.
                 * @example +14155550100
                 */
                readonly phone?: string;
                readonly address?: {
                    /**
                     * Format: visible
                     * @description Text without line breaks, tabs or other control characters.
                     */
                    readonly line1: string;
                    /**
                     * Format: visible
                     * @description Text without line breaks, tabs or other control characters.
                     */
                    readonly line2?: string;
                    /**
                     * Format: visible
                     * @description Text without line breaks, tabs or other control characters.
                     */
                    readonly city: string;
                    /** @description The code of a state, such as `CA`. */
                    readonly state: string;
                    /**
                     * Format: visible
                     * @description Text without line breaks, tabs or other control characters.
                     */
                    readonly postal_code: string;
                    /**
                     * @description A two-letter country code in capital letters (ISO 3166-1 alpha-2).
                     * @example US
                     */
                    readonly country: string;
                };
            };
            /**
             * Format: display
             * @description The version of the consent that the user gave you. Stored in the audit trail.
             */
            readonly consent_version?: string;
        };
        readonly FiatAccount: {
            /** @enum {string} */
            readonly object: "fiat_account";
            /** @example ba_01k3z5qexrf1xv2hj4nb9c8w7d */
            readonly account_id: string;
            /** @description The bank's name. */
            readonly institution_name: string | null;
            /** @description The account's name at the bank. */
            readonly name: string;
            /** @description The last digits of the account number. */
            readonly mask: string | null;
            readonly type: string;
            /** @enum {string} */
            readonly subtype: "checking" | "savings";
            /** @enum {string} */
            readonly currency: "usd";
            /** @enum {string} */
            readonly country: "US";
            /**
             * @description Whether the bank account can be used. `relink_required`: the bank asks for a new login; call link-account with this account.
             * @enum {string}
             */
            readonly status: "pending_verification" | "verified" | "relink_required" | "disabled" | "removed";
            readonly verification: {
                /** @enum {string} */
                readonly method: "instant" | "micro_deposit";
                /** @enum {string} */
                readonly status: "pending" | "automatically_verified" | "failed";
            };
            /** @description What the account can be used for. Empty unless `status` is `verified`. */
            readonly capabilities: readonly ("ach_push" | "ach_credit" | "wire")[];
            /**
             * @description How far the holder is identified. See verify-account.
             * @enum {string}
             */
            readonly kyc_status: "approved" | "pending" | "review" | "rejected";
            /** @enum {string} */
            readonly provider: "plaid";
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            readonly relink_required_at: string | null;
        };
        readonly VerifiedAccount: {
            readonly account: components["schemas"]["FiatAccount"];
            readonly kyc: {
                /**
                 * @description `pending`: the holder has something to do, or the vendors are still checking. `review`: a person checks. Only `approved` can convert.
                 * @enum {string}
                 */
                readonly status: "approved" | "pending" | "review" | "rejected";
                readonly screening: {
                    /**
                     * @description The search in lists of sanctioned persons.
                     * @enum {string}
                     */
                    readonly sanctions: "clear" | "hit" | "pending";
                };
                /** @description What the holder has to do. */
                readonly requirements: {
                    /** @description The holder has to prove an identity. */
                    readonly identity_check?: {
                        /** @enum {string} */
                        readonly status: "due";
                        /** @description The page for the holder. */
                        readonly url: string;
                    };
                    /** @description The holder has to accept the terms of the payment provider. */
                    readonly terms?: {
                        /** @enum {string} */
                        readonly status: "due";
                        /** @description The page for the holder. */
                        readonly url: string;
                    };
                };
            };
        };
        readonly FiatAccountList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["FiatAccount"][];
            /** @enum {boolean} */
            readonly has_more: false;
        };
        readonly ExchangeRate: {
            /** @enum {string} */
            readonly object: "exchange_rate";
            /** @example usdc */
            readonly source: string;
            /** @example usd */
            readonly dest: string;
            /**
             * @description What one unit of `source` is worth in `dest`, after the spread.
             * @example 0.9985
             */
            readonly rate: string;
            /**
             * @description 1 divided by `rate`.
             * @example 0.9985
             */
            readonly inverse_rate: string;
            /**
             * @description The rate before the spread.
             * @example 0.9985
             */
            readonly mid_rate: string;
            /** @description The spread in hundredths of a percent. 0 with your own Bridge keys. */
            readonly spread_bps: number;
            /** @enum {string} */
            readonly provider: "bridge";
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly as_of: string;
            /**
             * Format: date-time
             * @description When the rate can change.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
        };
        readonly OnRampRequest: {
            /** @description The bank account from which the dollars are sent. */
            readonly source_account_id: string;
            /** @description The wallet that gets the tokens. */
            readonly wallet_id?: string;
            /** @description The address of one of your wallets, with `network`. */
            readonly destination_address?: string;
            /**
             * @description A network's name or CAIP-2 id, for example `base` or `eip155:8453`.
             * @enum {string}
             */
            readonly network?: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
            /** @description `ach_push` (default) or `wire`: you send the dollars. */
            readonly payment_rail?: string;
            /** @description At most two decimals. The destination gets at least 1.00, and the source is at most 1,000,000.00. */
            readonly amount: components["schemas"]["PositiveAmountInput"];
            /**
             * @description Whether `amount` is what is converted, or what the destination gets. Default: `source`.
             * @enum {string}
             */
            readonly amount_type?: "source" | "target";
            /** @description Only `usd`. */
            readonly currency?: string;
            /** @description Only `usdc`. */
            readonly token?: string;
            /** @description The project of the wallet's agent. Required if the agent belongs to several. */
            readonly project_id?: string;
            /** @description Executes this quote. All other fields must be those with which it was requested. */
            readonly quote_id?: string;
            /** @description With `false`, returns a quote that is valid for 30 seconds. Default: `true`. */
            readonly execute?: boolean;
            /** @description With `true`, returns what would be converted, or the refusal, and stores nothing. Default: `false`. */
            readonly validate_only?: boolean;
            /** @description The conversion is refused if its fees are higher. */
            readonly max_fee?: components["schemas"]["AmountInput"];
            /**
             * Format: display
             * @description Your own reference. Never sent to Bridge.
             */
            readonly external_reference_id?: string;
            /** @description Up to 50 key-value pairs that you choose. Default: `{}`. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly ConversionBankSide: {
            /** @enum {string} */
            readonly type: "fiat_account";
            readonly account_id: string;
            readonly mask: string | null;
            /** @example 100.00 */
            readonly amount: components["schemas"]["Amount"];
            /** @enum {string} */
            readonly currency: "usd";
            readonly payment_rail: string;
        };
        readonly ConversionWalletSide: {
            /** @enum {string} */
            readonly type: "wallet";
            readonly wallet_id: string;
            /** @enum {string} */
            readonly network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            /** @example 100.00 */
            readonly amount: components["schemas"]["Amount"];
            /** @enum {string} */
            readonly token: "usdc";
        };
        readonly Conversion: {
            /** @enum {string} */
            readonly object: "conversion";
            /** @description Null with `validate_only`. */
            readonly conversion_id: string | null;
            /** @enum {string} */
            readonly direction: "on_ramp" | "off_ramp";
            /** @enum {string} */
            readonly status: "quoted" | "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "completed" | "undeliverable" | "returned" | "missing_return_policy" | "refund_in_flight" | "refunded" | "refund_failed" | "canceled" | "expired" | "failed";
            /** @description What is converted. */
            readonly source: components["schemas"]["ConversionBankSide"] | components["schemas"]["ConversionWalletSide"];
            /** @description What it becomes: the source minus the fees. */
            readonly destination: components["schemas"]["ConversionBankSide"] | components["schemas"]["ConversionWalletSide"];
            /**
             * @description The rate before fees: always 1.0000.
             * @example 100.00
             */
            readonly rate: components["schemas"]["Amount"];
            readonly fees: readonly {
                /** @enum {string} */
                readonly type: "provider" | "network";
                /** @example 100.00 */
                readonly amount: components["schemas"]["Amount"];
                /** @enum {string} */
                readonly currency: "usd";
            }[];
            /** @description With `execute: false`. Null for others. */
            readonly quote: {
                readonly quote_id: string;
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly expires_at: string;
            } | null;
            /** @description Where to send the dollars of an on-ramp. The transfer must have the reference. Null once they have arrived. */
            readonly deposit_instructions: {
                readonly bank_name: string | null;
                readonly account_number: string | null;
                readonly routing_number: string | null;
                readonly reference: string | null;
            } | null;
            readonly trace: {
                readonly tx_hash: string | null;
                readonly tx_final: boolean;
                readonly ach_trace_number: string | null;
                readonly imad: string | null;
            };
            /** @enum {string} */
            readonly provider: "bridge";
            /** @description Bridge's id of the transfer. */
            readonly provider_reference: string | null;
            /** @description Why the conversion ended. */
            readonly failure: components["schemas"]["Failure"] | null;
            readonly return_reason: string | null;
            /** @description The statuses that the conversion has had. */
            readonly timeline: readonly {
                /** @enum {string} */
                readonly status: "quoted" | "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "completed" | "undeliverable" | "returned" | "missing_return_policy" | "refund_in_flight" | "refunded" | "refund_failed" | "canceled" | "expired" | "failed";
                /**
                 * Format: date-time
                 * @example 2026-11-21T10:00:00.000Z
                 */
                readonly at: string;
            }[];
            readonly expected_completion_at: string | null;
            /** @description The agent that acts. Null for the developer. */
            readonly agent_id: string | null;
            readonly project_id: string | null;
            /** @description Whether the amount is reserved in budgets. */
            readonly payment_reserved: boolean;
            readonly external_reference_id: string | null;
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
            readonly completed_at: string | null;
        };
        readonly OffRampRequest: {
            /** @description The wallet whose tokens are converted. */
            readonly wallet_id: string;
            /** @description The bank account that gets the dollars. */
            readonly destination_account_id: string;
            /** @description `ach` (default), `ach_same_day` or `wire`. */
            readonly payment_rail?: string;
            /** @description Shown on the recipient's statement. Only for ACH. */
            readonly statement_descriptor?: string;
            /** @description At most two decimals. The destination gets at least 1.00, and the source is at most 1,000,000.00. */
            readonly amount: components["schemas"]["PositiveAmountInput"];
            /**
             * @description Whether `amount` is what is converted, or what the destination gets. Default: `source`.
             * @enum {string}
             */
            readonly amount_type?: "source" | "target";
            /** @description Only `usd`. */
            readonly currency?: string;
            /** @description Only `usdc`. */
            readonly token?: string;
            /** @description The project of the wallet's agent. Required if the agent belongs to several. */
            readonly project_id?: string;
            /** @description Executes this quote. All other fields must be those with which it was requested. */
            readonly quote_id?: string;
            /** @description With `false`, returns a quote that is valid for 30 seconds. Default: `true`. */
            readonly execute?: boolean;
            /** @description With `true`, returns what would be converted, or the refusal, and stores nothing. Default: `false`. */
            readonly validate_only?: boolean;
            /** @description The conversion is refused if its fees are higher. */
            readonly max_fee?: components["schemas"]["AmountInput"];
            /**
             * Format: display
             * @description Your own reference. Never sent to Bridge.
             */
            readonly external_reference_id?: string;
            /** @description Up to 50 key-value pairs that you choose. Default: `{}`. */
            readonly metadata?: {
                readonly [key: string]: string;
            };
        };
        readonly ConversionList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Conversion"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly ApprovalList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Approval"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly DecideApprovalRequest: {
            /**
             * Format: display
             * @description A note that is stored with the decision.
             */
            readonly note?: string;
        };
        readonly KillSwitchRequest: {
            /**
             * @description What is killed, with everything below it.
             * @enum {string}
             */
            readonly scope: "agent" | "project" | "developer";
            /**
             * Format: display
             * @description The id of the agent, the project or the developer.
             */
            readonly id: string;
            /**
             * Format: display
             * @description Why, for the audit trail and the freezes. Up to 500 characters.
             */
            readonly reason: string;
            /** @description Whether to freeze the wallets on their chains too. Simulated in test mode; in live mode, reconcile to see the outcome. Default: true. */
            readonly onchain?: boolean;
            /** @description Whether to rotate the credentials of services that the target could read. Reconcile to see when that is done. Default: true. */
            readonly rotate_env?: boolean;
        };
        readonly KillSwitchCounts: {
            /** @enum {string} */
            readonly type: "project" | "agent" | "wallet" | "approval" | "payment" | "project_env" | "api_key";
            readonly killed: number;
            readonly already_dead: number;
            readonly blocked_pending: number;
            readonly failed: number;
        };
        readonly KillSwitch: {
            /** @enum {string} */
            readonly object: "kill_switch";
            readonly kill_switch_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @enum {string} */
            readonly scope: "agent" | "project" | "developer";
            /** @description The id of the agent, the project or the developer. */
            readonly id: string;
            readonly reason: string;
            readonly onchain: boolean;
            readonly rotate_env: boolean;
            /**
             * @description `running`: not everything has been killed yet. `completed`: everything is dead. `blocked_pending`: the run has ended, and some targets are not dead yet.
             * @enum {string}
             */
            readonly status: "running" | "completed" | "blocked_pending";
            /** @description The number of the current run: 1, and one more for each reconciliation. */
            readonly run: number;
            readonly triggered_by: components["schemas"]["Subject"];
            /** @description The numbers of targets by type and outcome. */
            readonly counts: readonly components["schemas"]["KillSwitchCounts"][];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /** @description When the newest run that ended has ended. Null during the first run. */
            readonly completed_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
            /** @description The first 1,000 targets: those that are not dead, then the others in the order of their types and ids. */
            readonly targets: readonly {
                /** @enum {string} */
                readonly type: "project" | "agent" | "wallet" | "approval" | "payment" | "project_env" | "api_key";
                readonly id: string;
                /** @enum {string} */
                readonly outcome: "killed" | "already_dead" | "blocked_pending" | "failed";
                /** @description The freeze of a wallet on the chain, when the run reached it. `blocked_pending`: no block contains it yet; reconcile to see the outcome. Null for other targets, and if `onchain` is false. */
                readonly onchain: ("simulated" | "confirmed" | "blocked_pending" | "failed") | null;
                /** @description Why the target is not dead. Null if it is. */
                readonly detail: string | null;
            }[];
            /** @description The number of targets that are not listed. */
            readonly targets_omitted: number;
            /** @description A signed proof of this object. Null while the kill switch is running. */
            readonly proof: components["schemas"]["RevocationProof"] | null;
        };
        readonly KillSwitchSummary: {
            /** @enum {string} */
            readonly object: "kill_switch";
            readonly kill_switch_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @enum {string} */
            readonly scope: "agent" | "project" | "developer";
            /** @description The id of the agent, the project or the developer. */
            readonly id: string;
            readonly reason: string;
            readonly onchain: boolean;
            readonly rotate_env: boolean;
            /**
             * @description `running`: not everything has been killed yet. `completed`: everything is dead. `blocked_pending`: the run has ended, and some targets are not dead yet.
             * @enum {string}
             */
            readonly status: "running" | "completed" | "blocked_pending";
            /** @description The number of the current run: 1, and one more for each reconciliation. */
            readonly run: number;
            readonly triggered_by: components["schemas"]["Subject"];
            /** @description The numbers of targets by type and outcome. */
            readonly counts: readonly components["schemas"]["KillSwitchCounts"][];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
            /** @description When the newest run that ended has ended. Null during the first run. */
            readonly completed_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly updated_at: string;
        };
        readonly KillSwitchSummaryList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["KillSwitchSummary"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        /** @enum {string} */
        readonly EventTypePattern: "*" | "developer.*" | "api_key.*" | "provider_key.*" | "audit.*" | "project.*" | "link.*" | "service.*" | "env.*" | "payment_method.*" | "charge.*" | "agent.*" | "policy.*" | "approval.*" | "wallet.*" | "payment.*" | "conversion.*" | "fiat_account.*" | "kill_switch.*" | "webhook.*" | "developer.email_verified" | "developer.kyb_updated" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.grace_ending" | "api_key.auth_failures_spike" | "provider_key.saved" | "provider_key.deleted" | "provider_key.verification_failed" | "provider_key.expiring" | "audit.anchor_mismatch" | "project.created" | "project.updated" | "project.deleted" | "project.cap_threshold_reached" | "project.cap_exceeded_blocked" | "link.completed" | "link.failed" | "link.expired" | "link.revoked" | "service.provisioning" | "service.active" | "service.failed" | "service.plan_changed" | "service.plan_change_scheduled" | "service.plan_change_canceled" | "service.plan_change_failed" | "service.rotated" | "service.rotation_pending" | "service.removed" | "service.resource_missing" | "service.resource_found" | "env.pulled" | "env.changed" | "payment_method.attached" | "payment_method.requires_action" | "charge.succeeded" | "charge.failed" | "charge.refunded" | "agent.created" | "agent.updated" | "agent.suspended" | "agent.resumed" | "agent.revoked" | "agent.expired" | "agent.kya_changed" | "policy.created" | "policy.updated" | "policy.rolled_back" | "approval.requested" | "approval.approved" | "approval.denied" | "approval.expired" | "approval.canceled" | "wallet.created" | "wallet.updated" | "wallet.deployed" | "wallet.deployment_failed" | "wallet.frozen" | "wallet.freeze_onchain_pending" | "wallet.freeze_onchain_confirmed" | "wallet.freeze_onchain_failed" | "wallet.freeze_onchain_lifted" | "wallet.unfrozen" | "wallet.deposit_received" | "payment.requires_approval" | "payment.queued" | "payment.submitted" | "payment.confirmed" | "payment.authorized" | "payment.captured" | "payment.voided" | "payment.denied" | "payment.expired" | "payment.canceled" | "payment.failed" | "payment.dropped" | "payment.refunded" | "payment.capture_refused" | "payment.void_refused" | "payment.refund_refused" | "conversion.quoted" | "conversion.awaiting_funds" | "conversion.in_review" | "conversion.funds_received" | "conversion.payment_submitted" | "conversion.completed" | "conversion.undeliverable" | "conversion.returned" | "conversion.missing_return_policy" | "conversion.refund_in_flight" | "conversion.refunded" | "conversion.refund_failed" | "conversion.canceled" | "conversion.expired" | "conversion.failed" | "fiat_account.verified" | "fiat_account.relink_required" | "fiat_account.disabled" | "kill_switch.triggered" | "kill_switch.reconciled" | "kill_switch.completed" | "kill_switch.blocked_pending" | "webhook.disabled";
        readonly Event: {
            /** @enum {string} */
            readonly object: "event";
            /** @description The id of the event. Webhooks repeat it in the header `webhook-id`. */
            readonly id: string;
            /** @enum {string} */
            readonly type: "developer.email_verified" | "developer.kyb_updated" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.grace_ending" | "api_key.auth_failures_spike" | "provider_key.saved" | "provider_key.deleted" | "provider_key.verification_failed" | "provider_key.expiring" | "audit.anchor_mismatch" | "project.created" | "project.updated" | "project.deleted" | "project.cap_threshold_reached" | "project.cap_exceeded_blocked" | "link.completed" | "link.failed" | "link.expired" | "link.revoked" | "service.provisioning" | "service.active" | "service.failed" | "service.plan_changed" | "service.plan_change_scheduled" | "service.plan_change_canceled" | "service.plan_change_failed" | "service.rotated" | "service.rotation_pending" | "service.removed" | "service.resource_missing" | "service.resource_found" | "env.pulled" | "env.changed" | "payment_method.attached" | "payment_method.requires_action" | "charge.succeeded" | "charge.failed" | "charge.refunded" | "agent.created" | "agent.updated" | "agent.suspended" | "agent.resumed" | "agent.revoked" | "agent.expired" | "agent.kya_changed" | "policy.created" | "policy.updated" | "policy.rolled_back" | "approval.requested" | "approval.approved" | "approval.denied" | "approval.expired" | "approval.canceled" | "wallet.created" | "wallet.updated" | "wallet.deployed" | "wallet.deployment_failed" | "wallet.frozen" | "wallet.freeze_onchain_pending" | "wallet.freeze_onchain_confirmed" | "wallet.freeze_onchain_failed" | "wallet.freeze_onchain_lifted" | "wallet.unfrozen" | "wallet.deposit_received" | "payment.requires_approval" | "payment.queued" | "payment.submitted" | "payment.confirmed" | "payment.authorized" | "payment.captured" | "payment.voided" | "payment.denied" | "payment.expired" | "payment.canceled" | "payment.failed" | "payment.dropped" | "payment.refunded" | "payment.capture_refused" | "payment.void_refused" | "payment.refund_refused" | "conversion.quoted" | "conversion.awaiting_funds" | "conversion.in_review" | "conversion.funds_received" | "conversion.payment_submitted" | "conversion.completed" | "conversion.undeliverable" | "conversion.returned" | "conversion.missing_return_policy" | "conversion.refund_in_flight" | "conversion.refunded" | "conversion.refund_failed" | "conversion.canceled" | "conversion.expired" | "conversion.failed" | "fiat_account.verified" | "fiat_account.relink_required" | "fiat_account.disabled" | "kill_switch.triggered" | "kill_switch.reconciled" | "kill_switch.completed" | "kill_switch.blocked_pending" | "webhook.disabled" | "webhook.test";
            /** @description The version of the API in which `data` is written. */
            readonly api_version: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description The number of the event among those of its subject, from 1 without gaps. Null if the event changes nothing of its subject. */
            readonly sequence: number | null;
            readonly subject: {
                readonly type: string;
                readonly id: string;
                /** @description The same number as `sequence`. */
                readonly version: number | null;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
            readonly data: {
                /** @description The subject after the change, as the API returns it. */
                readonly object: {
                    readonly [key: string]: unknown;
                };
                /** @description The former values of the fields that the change has changed. Null if the event is the first of its subject, has no `sequence`, or if the event before it has been deleted. */
                readonly previous: {
                    readonly [key: string]: unknown;
                } | null;
            };
            /** @description The request that made the change. Null if Purser made it by itself. */
            readonly request_id: string | null;
            readonly actor: components["schemas"]["Actor"];
        };
        readonly EventList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Event"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly CreateWebhookRequest: {
            /** @description Where events are sent: an https URL without a user name, whose host has only public addresses. Redirects are not followed. */
            readonly url: string;
            /** @description The events to send: types, all types of a subject such as `payment.*`, or `*` for all. */
            readonly event_types: readonly components["schemas"]["EventTypePattern"][];
            /**
             * Format: display
             * @description A note.
             */
            readonly description?: string | null;
            /** @description Sends only events of these projects, and of what belongs to them. Default: all. */
            readonly project_ids?: readonly string[];
            /** @description Sends only events of these agents, of what belongs to them, and of what they did. Default: all. */
            readonly agent_ids?: readonly string[];
            /** @description Whether events are sent. Default: true. */
            readonly enabled?: boolean;
        };
        readonly WebhookWithSecret: {
            /** @enum {string} */
            readonly object: "webhook";
            readonly webhook_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly url: string;
            readonly description: string | null;
            /** @description Event types, and beginnings of types such as `payment.*`. */
            readonly event_types: readonly string[];
            /** @description Only events of these projects. Empty: of all, and of none. */
            readonly project_ids: readonly string[];
            /** @description Only events of these agents. Empty: of all, and of none. */
            readonly agent_ids: readonly string[];
            readonly enabled: boolean;
            /** @description Why Purser disabled it: no delivery succeeded for five days (`failing`), or the server answered 410 (`gone`). Null if it is enabled, or if you disabled it. */
            readonly disabled_reason: ("failing" | "gone") | null;
            /** @description Since when no delivery has succeeded. Null if the last one did. */
            readonly failing_since: string | null;
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
            /**
             * @description Verifies deliveries. Shown only in this response. `whsec_` and a key in Base64.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            readonly secret: string;
            /** @description Until when deliveries are also signed with the secret before this one. */
            readonly previous_secret_expires_at: string | null;
        };
        readonly Webhook: {
            /** @enum {string} */
            readonly object: "webhook";
            readonly webhook_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            readonly url: string;
            readonly description: string | null;
            /** @description Event types, and beginnings of types such as `payment.*`. */
            readonly event_types: readonly string[];
            /** @description Only events of these projects. Empty: of all, and of none. */
            readonly project_ids: readonly string[];
            /** @description Only events of these agents. Empty: of all, and of none. */
            readonly agent_ids: readonly string[];
            readonly enabled: boolean;
            /** @description Why Purser disabled it: no delivery succeeded for five days (`failing`), or the server answered 410 (`gone`). Null if it is enabled, or if you disabled it. */
            readonly disabled_reason: ("failing" | "gone") | null;
            /** @description Since when no delivery has succeeded. Null if the last one did. */
            readonly failing_since: string | null;
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
        readonly WebhookList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Webhook"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly UpdateWebhookRequest: {
            /** @description Where events are sent: an https URL without a user name, whose host has only public addresses. Redirects are not followed. */
            readonly url?: string;
            /** @description The events to send: types, all types of a subject such as `payment.*`, or `*` for all. */
            readonly event_types?: readonly components["schemas"]["EventTypePattern"][];
            /**
             * Format: display
             * @description A note.
             */
            readonly description?: string | null;
            /** @description Sends only events of these projects, and of what belongs to them. Default: all. */
            readonly project_ids?: readonly string[];
            /** @description Sends only events of these agents, of what belongs to them, and of what they did. Default: all. */
            readonly agent_ids?: readonly string[];
            /** @description Whether events are sent. Default: true. */
            readonly enabled?: boolean;
        };
        readonly WebhookDelivery: {
            /** @enum {string} */
            readonly object: "webhook_delivery";
            readonly webhook_id: string;
            readonly event_id: string;
            readonly event_type: string;
            /**
             * @description `pending`: it is tried again at `next_attempt_at`. `failed`: it is not tried again, but can be replayed.
             * @enum {string}
             */
            readonly status: "pending" | "delivered" | "failed";
            readonly attempts: number;
            /** @description When it was tried last. Null if it waits for an earlier event of its subject. */
            readonly attempted_at: string | null;
            readonly next_attempt_at: string | null;
            /** @description The HTTP status of the last answer. Null if there was none. */
            readonly response_status: number | null;
            /** @description The start of the last answer: 64 KiB, or 1 KiB after a success. */
            readonly response_body: string | null;
            /** @description Why there was no answer, for example `timeout` or `ECONNREFUSED`. */
            readonly error: string | null;
            /** @description How long the last attempt took. */
            readonly duration_ms: number | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly ReplayWebhookRequest: {
            /**
             * Format: date-time
             * @description Delivers again all events since this time that the webhook wants.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly since?: string;
            /** @description Delivers these events again, whatever the webhook wants. */
            readonly event_ids?: readonly string[];
        };
        readonly WebhookReplay: {
            /** @enum {string} */
            readonly object: "webhook_replay";
            readonly webhook_id: string;
            readonly since: string | null;
            readonly event_ids: readonly string[];
        };
        readonly WebhookDeliveryList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["WebhookDelivery"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly ServerTime: {
            /** @description The server's time as a Unix timestamp in seconds. */
            readonly unix: number;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly iso: string;
        };
        readonly Limit: {
            /** @enum {string} */
            readonly name: "requests";
            /** @enum {string} */
            readonly scope: "key";
            /** @description Size of the token bucket, in requests. */
            readonly limit: number;
            /** @description Number of requests that can be made now. */
            readonly remaining: number;
            /** @description Seconds until the bucket is full again. */
            readonly reset_seconds: number;
            /**
             * @description The bucket's size and the seconds that an empty bucket takes to refill, for example `600;w=60`.
             * @example 1000;w=10
             */
            readonly policy: string;
        };
        readonly LimitList: {
            /** @enum {string} */
            readonly object: "limits";
            readonly data: readonly components["schemas"]["Limit"][];
        };
        readonly AdminLoginRequest: {
            /**
             * Format: email
             * @description An email address. Stored in lowercase, with an international domain as Punycode.
             * @example ada@example.com
             */
            readonly email: string;
            /** @description 12 to 128 characters after Unicode NFC normalization. NUL is not allowed. */
            readonly password: string;
        };
        readonly AdminLoginChallenge: {
            /** @description The token to send to `POST /admin/login/totp`. */
            readonly mfa_token: string;
            /** @description Lifetime of `mfa_token` in seconds. */
            readonly expires_in: number;
        };
        readonly AdminTotpRequest: {
            /** @description The `mfa_token` returned by `POST /admin/login`. */
            readonly mfa_token: string;
            /** @description The TOTP code: six digits. */
            readonly code: string;
        };
        readonly AdminSession: {
            readonly access_token: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
            /** @description Lifetime of the access token in seconds. */
            readonly expires_in: number;
        };
        readonly AdminIdentity: {
            /** @enum {string} */
            readonly object: "admin";
            readonly admin_id: string;
            readonly email: string;
            /**
             * Format: date-time
             * @description When the session ends. It cannot be extended.
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly expires_at: string;
        };
        readonly ListedDeveloper: {
            /** @enum {string} */
            readonly object: "developer";
            /** @description The developer's id, with the prefix `dev_`. */
            readonly developer_id: string;
            /** @description The developer's email address in lowercase. */
            readonly email: string;
            /** @description The developer's name. Null if it is not set. */
            readonly name: string | null;
            readonly company_name: string | null;
            /** @description The developer's country: a two-letter code (ISO 3166-1 alpha-2). Null if it is not set. */
            readonly country: string | null;
            /**
             * @description Status of the developer's account. `pending_verification` until the email address is verified.
             * @enum {string}
             */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            readonly kyb: components["schemas"]["KybStatus"];
            /** @description When the developer sent the data of the business. Null if the developer has sent none. */
            readonly kyb_submitted_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly ListedDeveloperList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["ListedDeveloper"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        /** @description A KYB decision that needs a second admin's approval. */
        readonly PendingKybDecision: {
            /**
             * @description The proposed KYB status.
             * @enum {string}
             */
            readonly status: "verified" | "rejected" | "revoked";
            readonly legal_name: string | null;
            readonly registration_number: string | null;
            readonly jurisdiction: string | null;
            readonly reference: string | null;
            readonly note: string | null;
            /** @description When the verification expires. Null if the proposed decision sets no expiry. */
            readonly expires_at: string | null;
            /** @description The id of the admin who proposed the decision. */
            readonly proposed_by: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly proposed_at: string;
        };
        /** @description A KYB decision that an admin has made. */
        readonly KybDecisionEntry: {
            /**
             * @description The proposed KYB status.
             * @enum {string}
             */
            readonly status: "verified" | "rejected" | "revoked";
            readonly legal_name: string | null;
            readonly registration_number: string | null;
            readonly jurisdiction: string | null;
            readonly reference: string | null;
            readonly note: string | null;
            /** @description When the verification expires. Null if the proposed decision sets no expiry. */
            readonly expires_at: string | null;
            /** @description The id of the admin who proposed the decision. */
            readonly proposed_by: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly proposed_at: string;
            /** @description The id of the second admin. Null if there is none. */
            readonly approved_by: string | null;
            /** @description When the decision took effect. Null if it has not. */
            readonly applied_at: string | null;
            /** @description When another decision, or other data, took its place before it took effect. */
            readonly superseded_at: string | null;
        };
        readonly ShownDeveloper: {
            /** @enum {string} */
            readonly object: "developer";
            /** @description The developer's id, with the prefix `dev_`. */
            readonly developer_id: string;
            /** @description The developer's email address in lowercase. */
            readonly email: string;
            /** @description The developer's name. Null if it is not set. */
            readonly name: string | null;
            readonly company_name: string | null;
            /** @description The developer's website: an http or https URL. Null if it is not set. */
            readonly website: string | null;
            /** @description The developer's country: a two-letter code (ISO 3166-1 alpha-2). Null if it is not set. */
            readonly country: string | null;
            /** @description The developer's time zone, from the IANA database. Default: `UTC`. */
            readonly timezone: string;
            /** @description The email address for bills. Null if it is not set. */
            readonly billing_email: string | null;
            /** @description Whether the developer receives each kind of notification. Kinds that were never set are absent. */
            readonly notification_preferences: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Status of the developer's account. `pending_verification` until the email address is verified.
             * @enum {string}
             */
            readonly status: "pending_verification" | "active" | "suspended" | "closed";
            readonly email_verified: boolean;
            /** @description When the developer registered for the API, which creates the first key pair. Null if the developer has not. */
            readonly registered_at: string | null;
            readonly kyb: components["schemas"]["KybStatus"];
            /** @description Whether logging in requires a second factor. */
            readonly mfa_enabled: boolean;
            /** @description The ways to log in: the password and the linked identity providers. */
            readonly auth_methods: readonly ("password" | "github" | "google")[];
            /** @description Whether the developer can use live mode. True once the email address is verified. */
            readonly live_access: boolean;
            readonly capabilities: components["schemas"]["DeveloperCapabilities"];
            /** @description Information that Purser requires from the developer, by name, for example `kyb_documents`. Empty if nothing is required. */
            readonly requirements: {
                readonly [key: string]: components["schemas"]["DeveloperRequirement"];
            };
            readonly limits: components["schemas"]["DeveloperLimits"];
            /** @description The starter policy in the mode of the API key or of `X-Svc-Mode`, otherwise in live mode. Null until an agent needs it. */
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
            /** @description The KYB decision that needs a second admin's approval. Null if there is none. */
            readonly waiting_kyb_decision: components["schemas"]["PendingKybDecision"] | null;
            readonly kyb_case: components["schemas"]["KybCase"];
            /** @description The newest 20 KYB decisions, newest first. */
            readonly kyb_decisions: readonly components["schemas"]["KybDecisionEntry"][];
        };
        readonly OperatorOperation: {
            /** @enum {string} */
            readonly object: "operation";
            readonly operation_id: string;
            readonly developer_id: string;
            readonly project_id: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @example service.add */
            readonly type: string;
            /** @enum {string} */
            readonly status: "running" | "requires_approval" | "succeeded" | "failed" | "compensated" | "needs_operator";
            readonly subject: components["schemas"]["Subject"];
            /** @description The steps in the order in which they run. */
            readonly steps: readonly {
                readonly name: string;
                /** @enum {string} */
                readonly status: "pending" | "running" | "succeeded" | "failed" | "compensated" | "skipped";
                /** @description When the step's `status` last changed. Null while the step is pending. */
                readonly at: string | null;
            }[];
            /** @description The step that could not be undone at the provider. Null if nothing was being undone: the operation can then only be retried. */
            readonly stuck_step: string | null;
            /** @description The steps that admins have undone by hand. */
            readonly undone_by_hand: readonly string[];
            readonly error: components["schemas"]["Failure"] | null;
            readonly request_id: string | null;
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
        readonly OperatorOperationList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["OperatorOperation"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly CompensateRequest: {
            /**
             * Format: display
             * @description What was done at the provider. Visible to the developer in the audit trail.
             */
            readonly reason: string;
        };
        readonly AdminWallet: {
            /** @enum {string} */
            readonly object: "wallet";
            readonly wallet_id: string;
            readonly developer_id: string;
            /** Format: uuid */
            readonly agent_id: string;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @enum {string} */
            readonly network: "ethereum" | "base" | "arbitrum" | "optimism" | "polygon" | "ethereum-sepolia" | "base-sepolia" | "arbitrum-sepolia" | "optimism-sepolia" | "polygon-amoy";
            readonly address: string;
            /** @enum {string} */
            readonly status: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
            readonly freeze: components["schemas"]["WalletFreeze"];
            /** @description Whose freeze it is: only an admin can lift one by an admin. Null unless frozen. */
            readonly freeze_source: ("developer" | "admin") | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly AdminWalletList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AdminWallet"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly AdminAuditEntry: {
            readonly audit_id: string;
            /** @description The developer in whose trail the entry is. Null for the operators' own trail. */
            readonly developer_id: string | null;
            readonly admin_id: string;
            /** @description The admin's network. Null in a developer's trail. */
            readonly ip: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @example developer.kyb_updated */
            readonly action: string;
            readonly subject: components["schemas"]["Subject"];
            /** @description Details. The fields depend on `action`. */
            readonly facts: {
                readonly [key: string]: unknown;
            };
            readonly request_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
        };
        readonly AuditAnchorMismatch: {
            readonly tenant_id: string;
            readonly chain: string;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly occurred_at: string;
        };
        readonly AuditAnchorState: {
            /**
             * @description `mismatch`: a chain of an account has not matched its checkpoint in the anchor in the last 25 hours. `late`: an entry of any chain has waited for the anchor for too long. `pending`: the latest checkpoint is not in the anchor yet. Otherwise `anchored`.
             * @enum {string}
             */
            readonly status: "anchored" | "pending" | "late" | "mismatch";
            /** @description The newest checkpoint of the operators' own trail. */
            readonly latest_checkpoint: components["schemas"]["AuditCheckpoint"] | null;
            /** @description The age of the latest checkpoint. */
            readonly age_seconds: number | null;
            /** @description When the oldest entry was written that is not in the anchor yet, of any chain. */
            readonly unanchored_since: string | null;
            /** @description The chains that have not matched their anchor in the last 25 hours, at most 20. */
            readonly mismatches: readonly components["schemas"]["AuditAnchorMismatch"][];
        };
        readonly AdminAuditEntryList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["AdminAuditEntry"][];
            /** @description Whether another page follows. */
            readonly has_more: boolean;
            /** @description The `cursor` value for the next page. Null on the last page. */
            readonly next_cursor: string | null;
            readonly anchor: components["schemas"]["AuditAnchorState"];
        };
        readonly DueWorkHealth: {
            readonly kind: string;
            /** @description How many items are due. */
            readonly count: number;
            /** @description For how long the oldest one has been due. */
            readonly oldest_age_seconds: number;
        };
        readonly OperationHealth: {
            readonly needs_operator: number;
            /** @description How many operations have run for more than ten minutes. */
            readonly running_long: number;
        };
        readonly OutboxHealth: {
            /** @description How many emails wait. */
            readonly count: number;
            /** @description For how long the oldest one waits. Null if none does. */
            readonly oldest_age_seconds: number | null;
        };
        readonly NetworkHealth: {
            readonly network: string;
            /** @description The newest block that was read. */
            readonly block_number: number;
            /** @description How long ago the chain was last read without a failure. */
            readonly read_age_seconds: number;
            /** @description Since when the network's nodes differ. Null if they do not. */
            readonly disputed_at: string | null;
            /** @description Since when the network is stopped. Null if it is not. */
            readonly stopped_at: string | null;
        };
        readonly AdminHealth: {
            /** @enum {string} */
            readonly object: "admin_health";
            /** @description Whether the process that answers can serve requests, as `/readyz` says. */
            readonly ready: boolean;
            /** @description The result of each check of `/readyz`: `ok`, or the problem. */
            readonly checks: {
                readonly [key: string]: string;
            };
            /** @description The background work that is due, by its kind. A kind of which nothing is due is omitted. */
            readonly due_work: readonly components["schemas"]["DueWorkHealth"][];
            readonly operations: components["schemas"]["OperationHealth"];
            readonly outbox: components["schemas"]["OutboxHealth"];
            /** @description The networks in use. */
            readonly networks: readonly components["schemas"]["NetworkHealth"][];
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            readonly checked_at: string;
        };
        readonly WebhookReceipt: {
            /** @enum {boolean} */
            readonly received: true;
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
export type DeveloperLimits = components['schemas']['DeveloperLimits'];
export type Developer = components['schemas']['Developer'];
export type UpdateDashboardProfileRequest = components['schemas']['UpdateDashboardProfileRequest'];
export type Amount = components['schemas']['Amount'];
export type ProjectSpend = components['schemas']['ProjectSpend'];
export type DashboardSpend = components['schemas']['DashboardSpend'];
export type BalanceTotal = components['schemas']['BalanceTotal'];
export type PaymentDay = components['schemas']['PaymentDay'];
export type PaymentCounts = components['schemas']['PaymentCounts'];
export type WaitingApproval = components['schemas']['WaitingApproval'];
export type BrokenLink = components['schemas']['BrokenLink'];
export type Actor = components['schemas']['Actor'];
export type WalletFreeze = components['schemas']['WalletFreeze'];
export type FrozenWallet = components['schemas']['FrozenWallet'];
export type EndingKey = components['schemas']['EndingKey'];
export type BlockedProject = components['schemas']['BlockedProject'];
export type UnpaidProject = components['schemas']['UnpaidProject'];
export type Attention = components['schemas']['Attention'];
export type Checklist = components['schemas']['Checklist'];
export type DashboardOverview = components['schemas']['DashboardOverview'];
export type InvalidField = components['schemas']['InvalidField'];
export type LimitDecision = components['schemas']['LimitDecision'];
export type RuleDecision = components['schemas']['RuleDecision'];
export type KyaDecision = components['schemas']['KyaDecision'];
export type BalanceDecision = components['schemas']['BalanceDecision'];
export type Decision = components['schemas']['Decision'];
export type NextAction = components['schemas']['NextAction'];
export type Problem = components['schemas']['Problem'];
export type DeveloperRegisterRequest = components['schemas']['DeveloperRegisterRequest'];
export type ApiKey = components['schemas']['ApiKey'];
export type RegisteredDeveloper = components['schemas']['RegisteredDeveloper'];
export type SignupRequest = components['schemas']['SignupRequest'];
export type Signup = components['schemas']['Signup'];
export type Captcha = components['schemas']['Captcha'];
export type LoginCaptcha = components['schemas']['LoginCaptcha'];
export type LoginOptions = components['schemas']['LoginOptions'];
export type ResendVerificationRequest = components['schemas']['ResendVerificationRequest'];
export type ResentVerification = components['schemas']['ResentVerification'];
export type VerifiedEmail = components['schemas']['VerifiedEmail'];
export type VerifyEmailRequest = components['schemas']['VerifyEmailRequest'];
export type KybCaseRequest = components['schemas']['KybCaseRequest'];
export type KybCase = components['schemas']['KybCase'];
export type DeveloperKybVerifyRequest = components['schemas']['DeveloperKybVerifyRequest'];
export type KybVerification = components['schemas']['KybVerification'];
export type PasswordForgotRequest = components['schemas']['PasswordForgotRequest'];
export type RequestedPasswordReset = components['schemas']['RequestedPasswordReset'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PasswordReset = components['schemas']['PasswordReset'];
export type EmailedTokenRequest = components['schemas']['EmailedTokenRequest'];
export type EmailedTokenKey = components['schemas']['EmailedTokenKey'];
export type EmailedToken = components['schemas']['EmailedToken'];
export type EmailedKeyRevocationRequest = components['schemas']['EmailedKeyRevocationRequest'];
export type RevokedKeys = components['schemas']['RevokedKeys'];
export type AuthFailure = components['schemas']['AuthFailure'];
export type AuthFailureList = components['schemas']['AuthFailureList'];
export type LoggedRequest = components['schemas']['LoggedRequest'];
export type LoggedRequestList = components['schemas']['LoggedRequestList'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type CreateApiKeyRequest = components['schemas']['CreateApiKeyRequest'];
export type IssuedApiKey = components['schemas']['IssuedApiKey'];
export type RevokedApiKey = components['schemas']['RevokedApiKey'];
export type RotateApiKeyRequest = components['schemas']['RotateApiKeyRequest'];
export type ReplacedApiKey = components['schemas']['ReplacedApiKey'];
export type RotatedApiKey = components['schemas']['RotatedApiKey'];
export type ReplacedAccountPair = components['schemas']['ReplacedAccountPair'];
export type RotatedAccountPair = components['schemas']['RotatedAccountPair'];
export type TestSignatureRequest = components['schemas']['TestSignatureRequest'];
export type TestSignature = components['schemas']['TestSignature'];
export type DeviceAuthorizationRequest = components['schemas']['DeviceAuthorizationRequest'];
export type DeviceAuthorization = components['schemas']['DeviceAuthorization'];
export type DeviceTokenRequest = components['schemas']['DeviceTokenRequest'];
export type DeviceToken = components['schemas']['DeviceToken'];
export type OAuthProblem = components['schemas']['OAuthProblem'];
export type PendingDeviceLogin = components['schemas']['PendingDeviceLogin'];
export type DeviceApprovalRequest = components['schemas']['DeviceApprovalRequest'];
export type DeviceLogin = components['schemas']['DeviceLogin'];
export type GitHubOAuthRequest = components['schemas']['GitHubOAuthRequest'];
export type IdentitySession = components['schemas']['IdentitySession'];
export type IdentityMfaRequired = components['schemas']['IdentityMfaRequired'];
export type IdentityLoginResult = components['schemas']['IdentityLoginResult'];
export type GitHubAuthorization = components['schemas']['GitHubAuthorization'];
export type GoogleOAuthRequest = components['schemas']['GoogleOAuthRequest'];
export type Identity = components['schemas']['Identity'];
export type IdentityList = components['schemas']['IdentityList'];
export type LoginProofRequest = components['schemas']['LoginProofRequest'];
export type SecondFactorLoginRequest = components['schemas']['SecondFactorLoginRequest'];
export type Session = components['schemas']['Session'];
export type DeveloperLoginRequest = components['schemas']['DeveloperLoginRequest'];
export type MfaRequired = components['schemas']['MfaRequired'];
export type LoginResult = components['schemas']['LoginResult'];
export type LogoutRequest = components['schemas']['LogoutRequest'];
export type RefreshSessionRequest = components['schemas']['RefreshSessionRequest'];
export type DashboardSession = components['schemas']['DashboardSession'];
export type DashboardSessionList = components['schemas']['DashboardSessionList'];
export type TotpEnrollment = components['schemas']['TotpEnrollment'];
export type TotpConfirmRequest = components['schemas']['TotpConfirmRequest'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type TotpDisableRequest = components['schemas']['TotpDisableRequest'];
export type ProviderKeyVerification = components['schemas']['ProviderKeyVerification'];
export type ProviderKeys = components['schemas']['ProviderKeys'];
export type NoProviderKeys = components['schemas']['NoProviderKeys'];
export type ProviderKeyStatus = components['schemas']['ProviderKeyStatus'];
export type ProviderKeysList = components['schemas']['ProviderKeysList'];
export type ProviderKeyRequest = components['schemas']['ProviderKeyRequest'];
export type RemovedProviderKeys = components['schemas']['RemovedProviderKeys'];
export type AuditChainBreak = components['schemas']['AuditChainBreak'];
export type AuditAnchorStatus = components['schemas']['AuditAnchorStatus'];
export type AuditVerification = components['schemas']['AuditVerification'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type ProjectLink = components['schemas']['ProjectLink'];
export type ProjectService = components['schemas']['ProjectService'];
export type Project = components['schemas']['Project'];
export type ProjectList = components['schemas']['ProjectList'];
export type AmountInput = components['schemas']['AmountInput'];
export type ProjectCreateRequest = components['schemas']['ProjectCreateRequest'];
export type DeletionEffect = components['schemas']['DeletionEffect'];
export type ProjectDeletion = components['schemas']['ProjectDeletion'];
export type ProjectUpdateRequest = components['schemas']['ProjectUpdateRequest'];
export type Charge = components['schemas']['Charge'];
export type ProjectOverview = components['schemas']['ProjectOverview'];
export type ProjectDeletionPreview = components['schemas']['ProjectDeletionPreview'];
export type ChargeList = components['schemas']['ChargeList'];
export type EnvBundle = components['schemas']['EnvBundle'];
export type EnvComparisonRequest = components['schemas']['EnvComparisonRequest'];
export type EnvComparison = components['schemas']['EnvComparison'];
export type Variable = components['schemas']['Variable'];
export type VariableList = components['schemas']['VariableList'];
export type VariableSetRequest = components['schemas']['VariableSetRequest'];
export type DeletedVariable = components['schemas']['DeletedVariable'];
export type UnitPrice = components['schemas']['UnitPrice'];
export type CatalogPlan = components['schemas']['CatalogPlan'];
export type CatalogService = components['schemas']['CatalogService'];
export type CatalogProvider = components['schemas']['CatalogProvider'];
export type Catalog = components['schemas']['Catalog'];
export type Subject = components['schemas']['Subject'];
export type Operation = components['schemas']['Operation'];
export type AuditEntryActor = components['schemas']['AuditEntryActor'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditEntryList = components['schemas']['AuditEntryList'];
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditCheckpointList = components['schemas']['AuditCheckpointList'];
export type PaymentMethodAttachRequest = components['schemas']['PaymentMethodAttachRequest'];
export type PaymentMethodAttachment = components['schemas']['PaymentMethodAttachment'];
export type Invoice = components['schemas']['Invoice'];
export type InvoiceList = components['schemas']['InvoiceList'];
export type LinkProviderRequest = components['schemas']['LinkProviderRequest'];
export type Link = components['schemas']['Link'];
export type FinishedLink = components['schemas']['FinishedLink'];
export type LinkList = components['schemas']['LinkList'];
export type AddServiceRequest = components['schemas']['AddServiceRequest'];
export type CredentialPull = components['schemas']['CredentialPull'];
export type ServiceCredential = components['schemas']['ServiceCredential'];
export type ServicePrice = components['schemas']['ServicePrice'];
export type PendingPlan = components['schemas']['PendingPlan'];
export type ServiceNotification = components['schemas']['ServiceNotification'];
export type Service = components['schemas']['Service'];
export type Failure = components['schemas']['Failure'];
export type Approval = components['schemas']['Approval'];
export type ServiceAddition = components['schemas']['ServiceAddition'];
export type ServiceList = components['schemas']['ServiceList'];
export type RotateServiceRequest = components['schemas']['RotateServiceRequest'];
export type ServiceRotation = components['schemas']['ServiceRotation'];
export type ServiceRemoval = components['schemas']['ServiceRemoval'];
export type UpgradeServiceRequest = components['schemas']['UpgradeServiceRequest'];
export type ServiceUpgrade = components['schemas']['ServiceUpgrade'];
export type DeepLink = components['schemas']['DeepLink'];
export type AmountConditionInput = components['schemas']['AmountConditionInput'];
export type PayeeCondition = components['schemas']['PayeeCondition'];
export type TextCondition = components['schemas']['TextCondition'];
export type KyaLevelCondition = components['schemas']['KyaLevelCondition'];
export type TimeCondition = components['schemas']['TimeCondition'];
export type PolicyConditionsInput = components['schemas']['PolicyConditionsInput'];
export type PolicyBudgetInput = components['schemas']['PolicyBudgetInput'];
export type PolicyCount = components['schemas']['PolicyCount'];
export type PolicyRuleInput = components['schemas']['PolicyRuleInput'];
export type PolicyApprovalsInput = components['schemas']['PolicyApprovalsInput'];
export type PolicyCreateRequest = components['schemas']['PolicyCreateRequest'];
export type AmountCondition = components['schemas']['AmountCondition'];
export type PolicyConditions = components['schemas']['PolicyConditions'];
export type PolicyBudget = components['schemas']['PolicyBudget'];
export type PolicyRule = components['schemas']['PolicyRule'];
export type PolicyApprovals = components['schemas']['PolicyApprovals'];
export type Policy = components['schemas']['Policy'];
export type PolicyList = components['schemas']['PolicyList'];
export type PolicyUpdateRequest = components['schemas']['PolicyUpdateRequest'];
export type PolicyRollbackRequest = components['schemas']['PolicyRollbackRequest'];
export type PolicyFacts = components['schemas']['PolicyFacts'];
export type PolicyEvaluateRequest = components['schemas']['PolicyEvaluateRequest'];
export type PolicyEvaluation = components['schemas']['PolicyEvaluation'];
export type PolicyBacktestRequest = components['schemas']['PolicyBacktestRequest'];
export type Backtest = components['schemas']['Backtest'];
export type AgentCreateRequest = components['schemas']['AgentCreateRequest'];
export type AgentKya = components['schemas']['AgentKya'];
export type PeriodBudget = components['schemas']['PeriodBudget'];
export type Agent = components['schemas']['Agent'];
export type AgentList = components['schemas']['AgentList'];
export type AgentUpdateRequest = components['schemas']['AgentUpdateRequest'];
export type AgentLimit = components['schemas']['AgentLimit'];
export type AgentCap = components['schemas']['AgentCap'];
export type AgentBudgets = components['schemas']['AgentBudgets'];
export type AgentStatusRequest = components['schemas']['AgentStatusRequest'];
export type CreateAgentKeyRequest = components['schemas']['CreateAgentKeyRequest'];
export type KyaToken = components['schemas']['KyaToken'];
export type WalletCreateRequest = components['schemas']['WalletCreateRequest'];
export type WalletBalance = components['schemas']['WalletBalance'];
export type Wallet = components['schemas']['Wallet'];
export type WalletList = components['schemas']['WalletList'];
export type AgentWallets = components['schemas']['AgentWallets'];
export type WalletUpdateRequest = components['schemas']['WalletUpdateRequest'];
export type WalletBalances = components['schemas']['WalletBalances'];
export type WalletActivity = components['schemas']['WalletActivity'];
export type WalletActivityList = components['schemas']['WalletActivityList'];
export type PositiveAmountInput = components['schemas']['PositiveAmountInput'];
export type WalletFundRequest = components['schemas']['WalletFundRequest'];
export type WalletFunding = components['schemas']['WalletFunding'];
export type WalletFreezeRequest = components['schemas']['WalletFreezeRequest'];
export type RevocationProof = components['schemas']['RevocationProof'];
export type WalletFreezeReport = components['schemas']['WalletFreezeReport'];
export type WalletUnfreezeRequest = components['schemas']['WalletUnfreezeRequest'];
export type PaymentSendRequest = components['schemas']['PaymentSendRequest'];
export type PaymentPayee = components['schemas']['PaymentPayee'];
export type PolicyVerdict = components['schemas']['PolicyVerdict'];
export type PaymentFee = components['schemas']['PaymentFee'];
export type PaymentOnchain = components['schemas']['PaymentOnchain'];
export type Payment = components['schemas']['Payment'];
export type PaymentSimulation = components['schemas']['PaymentSimulation'];
export type PaymentOrSimulation = components['schemas']['PaymentOrSimulation'];
export type PaymentList = components['schemas']['PaymentList'];
export type CapturePaymentRequest = components['schemas']['CapturePaymentRequest'];
export type VoidPaymentRequest = components['schemas']['VoidPaymentRequest'];
export type RefundPaymentRequest = components['schemas']['RefundPaymentRequest'];
export type CancelPaymentRequest = components['schemas']['CancelPaymentRequest'];
export type LinkAccountRequest = components['schemas']['LinkAccountRequest'];
export type LinkToken = components['schemas']['LinkToken'];
export type VerifyAccountRequest = components['schemas']['VerifyAccountRequest'];
export type FiatAccount = components['schemas']['FiatAccount'];
export type VerifiedAccount = components['schemas']['VerifiedAccount'];
export type FiatAccountList = components['schemas']['FiatAccountList'];
export type ExchangeRate = components['schemas']['ExchangeRate'];
export type OnRampRequest = components['schemas']['OnRampRequest'];
export type ConversionBankSide = components['schemas']['ConversionBankSide'];
export type ConversionWalletSide = components['schemas']['ConversionWalletSide'];
export type Conversion = components['schemas']['Conversion'];
export type OffRampRequest = components['schemas']['OffRampRequest'];
export type ConversionList = components['schemas']['ConversionList'];
export type ApprovalList = components['schemas']['ApprovalList'];
export type DecideApprovalRequest = components['schemas']['DecideApprovalRequest'];
export type KillSwitchRequest = components['schemas']['KillSwitchRequest'];
export type KillSwitchCounts = components['schemas']['KillSwitchCounts'];
export type KillSwitch = components['schemas']['KillSwitch'];
export type KillSwitchSummary = components['schemas']['KillSwitchSummary'];
export type KillSwitchSummaryList = components['schemas']['KillSwitchSummaryList'];
export type EventTypePattern = components['schemas']['EventTypePattern'];
export type Event = components['schemas']['Event'];
export type EventList = components['schemas']['EventList'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookList = components['schemas']['WebhookList'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type ReplayWebhookRequest = components['schemas']['ReplayWebhookRequest'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type WebhookDeliveryList = components['schemas']['WebhookDeliveryList'];
export type ServerTime = components['schemas']['ServerTime'];
export type Limit = components['schemas']['Limit'];
export type LimitList = components['schemas']['LimitList'];
export type AdminLoginRequest = components['schemas']['AdminLoginRequest'];
export type AdminLoginChallenge = components['schemas']['AdminLoginChallenge'];
export type AdminTotpRequest = components['schemas']['AdminTotpRequest'];
export type AdminSession = components['schemas']['AdminSession'];
export type AdminIdentity = components['schemas']['AdminIdentity'];
export type ListedDeveloper = components['schemas']['ListedDeveloper'];
export type ListedDeveloperList = components['schemas']['ListedDeveloperList'];
export type PendingKybDecision = components['schemas']['PendingKybDecision'];
export type KybDecisionEntry = components['schemas']['KybDecisionEntry'];
export type ShownDeveloper = components['schemas']['ShownDeveloper'];
export type OperatorOperation = components['schemas']['OperatorOperation'];
export type OperatorOperationList = components['schemas']['OperatorOperationList'];
export type CompensateRequest = components['schemas']['CompensateRequest'];
export type AdminWallet = components['schemas']['AdminWallet'];
export type AdminWalletList = components['schemas']['AdminWalletList'];
export type AdminAuditEntry = components['schemas']['AdminAuditEntry'];
export type AuditAnchorMismatch = components['schemas']['AuditAnchorMismatch'];
export type AuditAnchorState = components['schemas']['AuditAnchorState'];
export type AdminAuditEntryList = components['schemas']['AdminAuditEntryList'];
export type DueWorkHealth = components['schemas']['DueWorkHealth'];
export type OperationHealth = components['schemas']['OperationHealth'];
export type OutboxHealth = components['schemas']['OutboxHealth'];
export type NetworkHealth = components['schemas']['NetworkHealth'];
export type AdminHealth = components['schemas']['AdminHealth'];
export type WebhookReceipt = components['schemas']['WebhookReceipt'];
