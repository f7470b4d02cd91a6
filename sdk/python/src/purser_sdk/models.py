# Generated from openapi/openapi.json by `npm run generate`. Do not edit.
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._model import Amount as Amount, Model as Model

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Developer(Model):
    """A developer's profile."""
    object: Literal["developer"]
    developer_id: str
    """The developer's id, with the prefix `dev_`."""
    email: str
    """The developer's email address in lowercase."""
    name: str | None
    """The developer's name. Null if it is not set."""
    company_name: str | None
    website: str | None
    """The developer's website: an http or https URL. Null if it is not set."""
    country: str | None
    """The developer's country: a two-letter code (ISO 3166-1 alpha-2). Null if it is not set."""
    timezone: str
    """The developer's time zone, from the IANA database. Default: `UTC`."""
    billing_email: str | None
    """The email address for bills. Null if it is not set."""
    notification_preferences: dict[str, bool]
    """Whether the developer receives each kind of notification. Kinds that were never set are absent."""
    status: Literal["pending_verification", "active", "suspended", "closed"]
    """Status of the developer's account. `pending_verification` until the email address is verified."""
    email_verified: bool
    registered_at: str | None
    """When the developer registered for the API, which creates the first key pair. Null if the developer has not."""
    kyb: KybStatus
    mfa_enabled: bool
    """Whether logging in requires a second factor."""
    auth_methods: list[Literal["password", "github", "google"]]
    """The ways to log in: the password and the linked identity providers."""
    live_access: bool
    """Whether the developer can use live mode. True once the email address is verified."""
    capabilities: DeveloperCapabilities
    requirements: dict[str, DeveloperRequirement]
    """Information that Purser requires from the developer, by name, for example `kyb_documents`. Empty if nothing is required."""
    limits: DeveloperLimits
    default_policy_id: str | None
    """The starter policy in the mode of the API key or of `X-Svc-Mode`, otherwise in live mode. Null until an agent needs it."""
    created_at: str
    updated_at: str


class KybStatus(Model):
    """The developer's business verification (KYB)."""
    status: Literal["unverified", "pending", "verified", "rejected", "revoked", "expired"]
    """Status of the business verification (KYB). Set by an admin; changes to `expired` at `expires_at`."""
    verified_at: str | None
    """When an admin verified the business. Null unless `status` is `verified` or `expired`."""
    expires_at: str | None
    """When the verification expires. Null if it never expires, or if the business was not verified."""
    reference: str | None
    """A reference for the verification, for example a case number. Null if there is none."""


class DeveloperCapabilities(Model):
    """The status of each feature that requires a verified email address."""
    live_keys: Literal["unrequested", "pending", "active", "inactive"]
    """Status of this feature. `active` if the developer's email address is verified, `inactive` if not. The other values are not used in this API version."""
    live_wallets: Literal["unrequested", "pending", "active", "inactive"]
    """Status of this feature. `active` if the developer's email address is verified, `inactive` if not. The other values are not used in this API version."""
    fiat: Literal["unrequested", "pending", "active", "inactive"]
    """Status of this feature. `active` if the developer's email address is verified, `inactive` if not. The other values are not used in this API version."""


class DeveloperRequirement(Model):
    status: Literal["due", "pending", "satisfied"]
    """Status of the requirement. `due`: the developer must provide the information. `pending`: the information is being reviewed."""


class DeveloperLimits(Model):
    agents: int | None
    """Maximum number of agents. `null` means no limit."""
    projects: int | None
    """Maximum number of projects. `null` means no limit."""


class DashboardOverview(Model):
    object: Literal["dashboard_overview"]
    mode: Literal["live", "test"]
    as_of: str
    spend: DashboardSpend
    balances: DashboardOverviewBalances
    payments: PaymentCounts
    attention: Attention
    checklist: Checklist


class DashboardSpend(Model):
    currency: Literal["usd"]
    period_start: str
    """Start of the current calendar month (UTC)."""
    period_end: str
    """Start of the next calendar month (UTC)."""
    monthly_cap: str
    """The sum of the projects' caps."""
    spent: str
    """What all projects have spent."""
    reserved: str
    """What is reserved for all projects."""
    projects: list[ProjectSpend]
    """Up to 100 projects, those that have spent and reserved the most first."""
    more: bool
    """Whether there are more than 100 projects."""


class ProjectSpend(Model):
    project_id: str
    name: str
    monthly_cap: str
    spent: str
    """Total of this month's charges whose amounts are final, excluding failed, released and refunded ones."""
    reserved: str
    """Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed."""
    remaining: str
    """`monthly_cap` minus `spent` and `reserved`, but never negative."""


class DashboardOverviewBalances(Model):
    as_of: str
    """When the ledger was read."""
    data: list[BalanceTotal]
    """One item for each network and token."""


class BalanceTotal(Model):
    network: Literal["ethereum", "base", "arbitrum", "optimism", "polygon", "ethereum-sepolia", "base-sepolia", "arbitrum-sepolia", "optimism-sepolia", "polygon-amoy"]
    token: Literal["USDC", "USDT", "PYUSD", "EURC"]
    wallet_count: int
    total: str
    """The sum of the wallets' balances in the ledger."""
    available: str
    """What the wallets can pay: `total` minus `held`."""
    held: str
    """What is held for payments that are not settled."""


class PaymentCounts(Model):
    window_days: int
    """How many days back payments are counted."""
    counted: int
    """How many payments were counted: the newest 1000 at most."""
    is_complete: bool
    """Whether these are all payments of the window."""
    by_status: dict[str, int]
    """The number of these payments for each status that one of them has: `requires_approval`, `approved`, `queued`, `signing`, `submitted`, `confirmed`, `authorized`, `captured`, `voided`, `denied`, `rejected`, `expired`, `canceled`, `failed`, `dropped`, `refunded`, `partially_refunded`."""
    paid: str
    """What the payees of these payments were paid, in USDC."""
    by_day: list[PaymentDay]
    """These payments by day, the first day first. Days without payments are left out."""


class PaymentDay(Model):
    date: str
    """The day (UTC) on which the payments were made."""
    count: int
    paid: str
    """What their payees were paid, in USDC."""


class Attention(Model):
    approvals: AttentionApprovals
    """Pending approvals, those that expire first come first."""
    links: AttentionLinks
    """Links that failed or expired and were not replaced, newest first."""
    frozen_wallets: AttentionFrozenWallets
    """Frozen wallets, the last frozen first."""
    keys: AttentionKeys
    """API keys that end within seven days, those that end first come first."""
    projects: AttentionProjects
    """Projects that are suspended, could not be deleted, or have reached their cap."""
    billing: AttentionBilling
    """Projects whose services cannot be paid."""


class AttentionApprovals(Model):
    """Pending approvals, those that expire first come first."""
    data: list[WaitingApproval]
    more: bool
    """Whether there are more than 10."""


class WaitingApproval(Model):
    approval_id: str
    title: str
    """What happens after the approval, in one line."""
    amount: str | None
    """The amount that is spent. Null if nothing is spent."""
    currency: str | None
    """Currency or token of the amount. Null if `amount` is null."""
    expires_at: str


class AttentionLinks(Model):
    """Links that failed or expired and were not replaced, newest first."""
    data: list[BrokenLink]
    more: bool
    """Whether there are more than 10."""


class BrokenLink(Model):
    link_id: str
    project_id: str
    project_name: str
    provider: str
    status: Literal["failed", "expired"]


class AttentionFrozenWallets(Model):
    """Frozen wallets, the last frozen first."""
    data: list[FrozenWallet]
    more: bool
    """Whether there are more than 10."""


class FrozenWallet(Model):
    wallet_id: str
    agent_id: str
    agent_name: str
    network: Literal["ethereum", "base", "arbitrum", "optimism", "polygon", "ethereum-sepolia", "base-sepolia", "arbitrum-sepolia", "optimism-sepolia", "polygon-amoy"]
    freeze: WalletFreeze


class WalletFreeze(Model):
    database: WalletFreezeDatabase
    onchain: WalletFreezeOnchain
    mode: Literal["outgoing_only", "full"] | None
    """What is refused: outgoing transactions, or all (`full`). Null unless frozen."""
    reason: Literal["compliance", "compliance_review", "suspected_compromise", "sanctions_match", "policy_violation", "anomaly", "user_request", "legal_order", "other"] | None
    note: str | None
    reference: str | None
    frozen_by: Actor | None
    """Who froze the wallet. Null unless frozen."""
    frozen_at: str | None
    expires_at: str | None
    """When the freeze is due for review. It does not end by itself."""


class WalletFreezeDatabase(Model):
    frozen: bool
    """Whether Purser refuses transactions of the wallet."""


class WalletFreezeOnchain(Model):
    status: Literal["not_frozen", "pending", "confirmed", "failed", "unfreeze_pending", "simulated"]
    """The freeze of the account's contract. `simulated` in test mode."""
    tx_hash: str | None
    block_number: int | None


class Actor(Model):
    type: Literal["developer", "agent", "admin", "system"]
    id: str


class AttentionKeys(Model):
    """API keys that end within seven days, those that end first come first."""
    data: list[EndingKey]
    more: bool
    """Whether there are more than 10."""


class EndingKey(Model):
    key_id: str
    name: str
    reason: Literal["expires", "grace_ends"]
    """`grace_ends`: the key was rotated, and its grace period ends."""
    ends_at: str


class AttentionProjects(Model):
    """Projects that are suspended, could not be deleted, or have reached their cap."""
    data: list[BlockedProject]
    more: bool
    """Whether there are more than 10."""


class BlockedProject(Model):
    project_id: str
    name: str
    status: Literal["active", "suspended", "deleting", "deleted", "delete_failed"]
    """Status of the project. Services can only be added to an `active` project. `delete_failed`: a provider could not delete a resource; retry the deletion."""
    cap_reached: bool
    """Whether the monthly cap is spent or reserved."""


class AttentionBilling(Model):
    """Projects whose services cannot be paid."""
    data: list[UnpaidProject]
    more: bool
    """Whether there are more than 10."""


class UnpaidProject(Model):
    project_id: str
    name: str
    billing_status: Literal["requires_payment_method", "requires_action", "past_due"]
    """The project's `billing.status`."""


class Checklist(Model):
    email_verified: bool
    has_key: bool
    """Whether there is an API key that can be used."""
    has_project: bool
    has_linked_provider: bool
    has_service: bool
    """Whether there is a service that was neither removed nor failed."""
    has_agent: bool
    has_wallet: bool
    has_payment: bool


class RegisteredDeveloper(Model):
    """A registered developer and the account's first key pair. The key pair is shown only once."""
    developer: Developer
    key: ApiKey
    api_key: str
    """The API key to send with each request. It is returned only in this response: store it now."""
    api_secret: str | None
    """The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key."""
    warning: str
    """A reminder to store the key pair, because it is shown only once."""


class ApiKey(Model):
    """An API key, without its secret."""
    object: Literal["api_key"]
    key_id: str
    """The key's id, with the prefix `key_`."""
    name: str
    """The key's name, set by the developer."""
    mode: Literal["live", "test"]
    key_prefix: str
    """The first characters of `api_key`: `svc_sk_live_` in live mode, `svc_sk_test_` in test mode."""
    key_hint: str
    """The last four characters of `api_key`, preceded by an ellipsis."""
    signature_alg: Literal["hmac-sha256", "ed25519"]
    """The signature algorithm for requests (docs/rules/signing.md)."""
    status: Literal["active", "rotating", "expired", "revoked", "disabled"]
    """Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`."""
    scopes: list[Literal["projects:read", "projects:write", "services:write", "env:read", "wallets:read", "wallets:write", "wallets:freeze", "payments:read", "payments:write", "fiat:read", "fiat:write", "agents:read", "agents:write", "policies:read", "policies:write", "approvals:read", "approvals:write", "keys:read", "keys:write", "provider_keys:read", "provider_keys:write", "audit:read", "webhooks:read", "webhooks:write", "events:read", "kill_switch:write"]]
    """The scopes granted to the key. For a key bound to agents or projects, only those that such a key can use."""
    agent_ids: list[str]
    """UUIDs of the agents that the key is bound to. A key bound to agents can only access projects whose `agent_ids` include one of them. Empty if the key is not bound to agents."""
    project_ids: list[str]
    """Ids of the projects that the key is bound to. A key bound to projects can only access these projects. Empty if the key is not bound to projects."""
    ip_allowlist: list[str]
    """The networks that requests must come from, as CIDR blocks. Empty if requests can come from any network."""
    rate_limit_per_minute: int | None
    """Maximum requests per minute. `null` means the standard limit for API keys."""
    metadata: dict[str, str]
    """Key-value pairs set by the developer."""
    created_at: str
    updated_at: str
    created_by: str
    """The id of the developer who created the key."""
    expires_at: str | None
    """When the key expires. `null` if it never expires."""
    last_used_at: str | None
    """When the last request with the key was accepted. `null` if the key has never been used."""
    last_used_ip: str | None
    """The network that the last accepted request came from: a /24 for IPv4, a /64 for IPv6. Null if the key has never been used."""
    rotated_from: str | None
    """The id of the key that this key replaced. Null if it replaced none."""
    replaced_by: str | None
    """The id of the key that replaced this key. Null if this key was not replaced."""
    grace_expires_at: str | None
    """When the key stops working, if it was replaced with a grace period. Null in all other cases."""
    revoked_at: str | None
    revoke_reason: str | None
    """Why the key was revoked: `revoked` by a call, `rotated`, `compromised` or `personnel` if another key replaced it, `superseded` if that key was then replaced too, `revoked_by_mailed_link` through the URL in an email, `password_reset`, or `account_reclaimed` if the owner of the email address took over the account. Null if the key is not revoked."""


class Signup(Model):
    status: Literal["verification_sent"]
    email: str
    """The email address from the request, in lowercase. An email is sent to this address, unless there were too many signups with it within an hour."""
    verification_expires_at: str
    """When the verification URL in the email expires: 24 hours after the signup."""


class Captcha(Model):
    """An ALTCHA challenge in the ALTCHA library's format, or the configuration for the captcha provider's widget."""


class LoginOptions(Model):
    """How developers can log in and sign up."""
    object: Literal["login_options"]
    identity_providers: list[Literal["github", "google"]]
    """The identity providers with which developers can log in, besides a password."""
    captcha: LoginCaptcha


class LoginCaptcha(Model):
    provider: Literal["altcha", "turnstile"]
    """`altcha`: get a challenge from `GET /developers/captcha` and solve it. `turnstile`: show Cloudflare's widget."""
    site_key: str | None
    """The site key of the captcha provider's widget. Null with `altcha`."""
    action: str | None
    """The action name that the widget must have. Null with `altcha`."""


class ResentVerification(Model):
    status: Literal["accepted"]


class VerifiedEmail(Model):
    status: Literal["verified"]
    redirect_url: Literal["/login?verified=1"]
    """URL path of the page to show next, which is the login page."""


class KybCase(Model):
    object: Literal["kyb_case"]
    status: Literal["none", "pending", "verified", "rejected", "revoked", "expired"]
    """Status of the business verification (KYB). `none` until the developer or an admin begins it."""
    legal_name: str | None
    """The business's registered name. Null if the developer has sent no data."""
    registration_number: str | None
    jurisdiction: str | None
    """Where the business is registered: a two-letter country code."""
    submitted_at: str | None
    """When the developer sent the data. Null if the developer has sent none."""
    decided_at: str | None
    """When admins decided. Null while they have not."""
    reason: str | None
    """The `reference` of the admins' decision. Null if there is none."""


class RequestedPasswordReset(Model):
    status: Literal["accepted"]


class PasswordReset(Model):
    status: Literal["password_reset"]


class EmailedToken(Model):
    """What a token from an email is for."""
    object: Literal["emailed_token"]
    purpose: Literal["verify_email", "reset_password", "revoke_keys"]
    email: str
    """The account's email address."""
    verified_at: str | None
    """With `verify_email`: when the address was verified, with this token or another one. Null if the token can still verify it, and for other purposes."""
    ownership_confirmed: bool | None
    """Whether ownership of the account is confirmed. If not, a password reset removes the second factor, the linked identities and the profile, and revokes the keys unless `keep_keys` is true. If it is, a password reset keeps the keys unless `revoke_keys` is true. Null with `verify_email`."""
    keys: list[EmailedTokenKey]
    """The account's valid API keys, newest first. Empty with `verify_email`."""


class EmailedTokenKey(Model):
    key_id: str
    """The key's id, with the prefix `key_`."""
    key_hint: str
    """The last four characters of `api_key`, preceded by an ellipsis."""
    mode: Literal["live", "test"]
    name: str
    """The key's name, set by the developer."""
    created_at: str
    last_used_at: str | None
    """When the last request with the key was accepted. `null` if the key has never been used."""


class RevokedKeys(Model):
    object: Literal["revoked_keys"]
    count: int
    """The number of revoked keys."""


class AuthFailureList(Model):
    object: Literal["list"]
    data: list[AuthFailure]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class AuthFailure(Model):
    """A group of requests with the same key, reason and network that were rejected within one minute."""
    object: Literal["auth_failure"]
    key_id: str | None
    """The id of the API key that the requests were sent with. Null for a dashboard session, whose `mode` is `live`."""
    mode: Literal["live", "test"]
    step: int
    """The verification step that failed, 1 to 5 (docs/rules/signing.md)."""
    reason: Literal["header_missing", "mode_missing", "timestamp_skewed", "nonce_malformed", "nonce_replayed", "key_revoked", "key_expired", "network_not_allowed", "signature_mismatch", "signature_replayed"]
    """Why the requests were rejected. `header_missing`: one of the four signing headers was absent. `mode_missing`: a dashboard token was sent without a valid `X-Svc-Mode`."""
    skew_seconds: int | None
    """How far the timestamp of the last request was ahead of the server's clock, in seconds. Negative if the timestamp was behind. Null if `reason` is not `timestamp_skewed`, or if the timestamp was malformed."""
    network: str
    """The caller's IPv4 address or IPv6 /64 network. `other` if 50 items for the same key and minute were already stored."""
    count: int
    """Number of rejected requests in this group."""
    first_at: str
    """When the first of these requests was received."""
    occurred_at: str
    """When the last of the `count` requests was received."""
    request_id: str
    """The `request_id` of the last of the `count` requests."""


class LoggedRequestList(Model):
    object: Literal["list"]
    data: list[LoggedRequest]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class LoggedRequest(Model):
    object: Literal["logged_request"]
    request_id: str
    """The request's id, also in its `X-Request-Id` response header."""
    key_id: str
    """The API key that the request was signed with."""
    mode: Literal["live", "test"]
    agent_id: str | None
    """The UUID in `X-Agent-ID`. Null if the request had none, or no valid one."""
    method: str
    """HTTP method."""
    path: str
    """The endpoint's path, with the names of its parameters instead of their values."""
    status: int
    """HTTP status of the response."""
    error_code: str | None
    """The `code` of the response's problem, which says why the request was refused. Null if it was not."""
    duration_ms: int
    """Time from the check of the signature until the response was sent, in milliseconds."""
    created_at: str
    """When the response was sent."""


class ApiKeyList(Model):
    object: Literal["list"]
    data: list[ApiKey]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class IssuedApiKey(Model):
    """The properties of a new API key and its key pair. The key pair is shown only once."""
    object: Literal["api_key"]
    key_id: str
    """The key's id, with the prefix `key_`."""
    name: str
    """The key's name, set by the developer."""
    mode: Literal["live", "test"]
    key_prefix: str
    """The first characters of `api_key`: `svc_sk_live_` in live mode, `svc_sk_test_` in test mode."""
    key_hint: str
    """The last four characters of `api_key`, preceded by an ellipsis."""
    signature_alg: Literal["hmac-sha256", "ed25519"]
    """The signature algorithm for requests (docs/rules/signing.md)."""
    status: Literal["active", "rotating", "expired", "revoked", "disabled"]
    """Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`."""
    scopes: list[Literal["projects:read", "projects:write", "services:write", "env:read", "wallets:read", "wallets:write", "wallets:freeze", "payments:read", "payments:write", "fiat:read", "fiat:write", "agents:read", "agents:write", "policies:read", "policies:write", "approvals:read", "approvals:write", "keys:read", "keys:write", "provider_keys:read", "provider_keys:write", "audit:read", "webhooks:read", "webhooks:write", "events:read", "kill_switch:write"]]
    """The scopes granted to the key. For a key bound to agents or projects, only those that such a key can use."""
    agent_ids: list[str]
    """UUIDs of the agents that the key is bound to. A key bound to agents can only access projects whose `agent_ids` include one of them. Empty if the key is not bound to agents."""
    project_ids: list[str]
    """Ids of the projects that the key is bound to. A key bound to projects can only access these projects. Empty if the key is not bound to projects."""
    ip_allowlist: list[str]
    """The networks that requests must come from, as CIDR blocks. Empty if requests can come from any network."""
    rate_limit_per_minute: int | None
    """Maximum requests per minute. `null` means the standard limit for API keys."""
    metadata: dict[str, str]
    """Key-value pairs set by the developer."""
    created_at: str
    updated_at: str
    created_by: str
    """The id of the developer who created the key."""
    expires_at: str | None
    """When the key expires. `null` if it never expires."""
    last_used_at: str | None
    """When the last request with the key was accepted. `null` if the key has never been used."""
    last_used_ip: str | None
    """The network that the last accepted request came from: a /24 for IPv4, a /64 for IPv6. Null if the key has never been used."""
    rotated_from: str | None
    """The id of the key that this key replaced. Null if it replaced none."""
    replaced_by: str | None
    """The id of the key that replaced this key. Null if this key was not replaced."""
    grace_expires_at: str | None
    """When the key stops working, if it was replaced with a grace period. Null in all other cases."""
    revoked_at: str | None
    revoke_reason: str | None
    """Why the key was revoked: `revoked` by a call, `rotated`, `compromised` or `personnel` if another key replaced it, `superseded` if that key was then replaced too, `revoked_by_mailed_link` through the URL in an email, `password_reset`, or `account_reclaimed` if the owner of the email address took over the account. Null if the key is not revoked."""
    api_key: str
    """The API key to send with each request. It is returned only in this response: store it now."""
    api_secret: str | None
    """The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key."""


class RevokedApiKey(Model):
    """A revoked API key."""
    object: Literal["api_key"]
    key_id: str
    """The key's id, with the prefix `key_`."""
    name: str
    """The key's name, set by the developer."""
    mode: Literal["live", "test"]
    key_prefix: str
    """The first characters of `api_key`: `svc_sk_live_` in live mode, `svc_sk_test_` in test mode."""
    key_hint: str
    """The last four characters of `api_key`, preceded by an ellipsis."""
    signature_alg: Literal["hmac-sha256", "ed25519"]
    """The signature algorithm for requests (docs/rules/signing.md)."""
    status: Literal["active", "rotating", "expired", "revoked", "disabled"]
    """Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`."""
    scopes: list[Literal["projects:read", "projects:write", "services:write", "env:read", "wallets:read", "wallets:write", "wallets:freeze", "payments:read", "payments:write", "fiat:read", "fiat:write", "agents:read", "agents:write", "policies:read", "policies:write", "approvals:read", "approvals:write", "keys:read", "keys:write", "provider_keys:read", "provider_keys:write", "audit:read", "webhooks:read", "webhooks:write", "events:read", "kill_switch:write"]]
    """The scopes granted to the key. For a key bound to agents or projects, only those that such a key can use."""
    agent_ids: list[str]
    """UUIDs of the agents that the key is bound to. A key bound to agents can only access projects whose `agent_ids` include one of them. Empty if the key is not bound to agents."""
    project_ids: list[str]
    """Ids of the projects that the key is bound to. A key bound to projects can only access these projects. Empty if the key is not bound to projects."""
    ip_allowlist: list[str]
    """The networks that requests must come from, as CIDR blocks. Empty if requests can come from any network."""
    rate_limit_per_minute: int | None
    """Maximum requests per minute. `null` means the standard limit for API keys."""
    metadata: dict[str, str]
    """Key-value pairs set by the developer."""
    created_at: str
    updated_at: str
    created_by: str
    """The id of the developer who created the key."""
    expires_at: str | None
    """When the key expires. `null` if it never expires."""
    last_used_at: str | None
    """When the last request with the key was accepted. `null` if the key has never been used."""
    last_used_ip: str | None
    """The network that the last accepted request came from: a /24 for IPv4, a /64 for IPv6. Null if the key has never been used."""
    rotated_from: str | None
    """The id of the key that this key replaced. Null if it replaced none."""
    replaced_by: str | None
    """The id of the key that replaced this key. Null if this key was not replaced."""
    grace_expires_at: str | None
    """When the key stops working, if it was replaced with a grace period. Null in all other cases."""
    revoked_at: str | None
    revoke_reason: str | None
    """Why the key was revoked: `revoked` by a call, `rotated`, `compromised` or `personnel` if another key replaced it, `superseded` if that key was then replaced too, `revoked_by_mailed_link` through the URL in an email, `password_reset`, or `account_reclaimed` if the owner of the email address took over the account. Null if the key is not revoked."""
    warnings: list[Literal["last_live_key"]] | None
    """Contains `last_live_key` if a live key was revoked and the account now has no live key that works. Absent in all other cases."""


class RotatedApiKey(Model):
    """The properties of the new API key, its key pair, and the properties of the old API key that it replaces. The key pair is shown only once."""
    key: ApiKey
    api_key: str
    """The API key to send with each request. It is returned only in this response: store it now."""
    api_secret: str | None
    """The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key."""
    previous_key: ReplacedApiKey


class ReplacedApiKey(Model):
    """The old API key, which the new one replaces."""
    key_id: str
    """The key's id, with the prefix `key_`."""
    status: Literal["active", "rotating", "expired", "revoked", "disabled"]
    """Status of the key. `rotating`: the key has been replaced but still works until `grace_expires_at`."""
    grace_expires_at: str | None
    """When the key stops working, if it was replaced with a grace period. Null in all other cases."""


class RotatedAccountPair(Model):
    """The account's new key pair. It is shown only once."""
    api_key: str
    """The API key to send with each request. It is returned only in this response: store it now."""
    api_secret: str | None
    """The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key."""
    key: ApiKey
    previous_key: ReplacedAccountPair | None
    """The old key pair, which the new one replaces. Null if the account had no key pair in this mode."""


class ReplacedAccountPair(Model):
    """The old key pair, which the new one replaces."""
    key_id: str
    """The key's id, with the prefix `key_`."""
    revoked_at: str


class TestSignature(Model):
    """The canonical string for a request, and the values it was computed from."""
    object: Literal["test_signature"]
    key_id: str
    signature_alg: Literal["hmac-sha256", "ed25519"]
    canonical: str
    """The canonical string, which is the text to sign. For an HMAC key, it does not contain the query string."""
    also_accepted: list[str]
    """Other canonical strings whose signatures are also accepted. For an HMAC key, this is the canonical string with the query string, if the path has one. Empty for an Ed25519 key."""
    body_hash: str
    """The SHA-256 of the request body in lowercase hexadecimal."""
    skew_seconds: int
    """How far the timestamp is ahead of the server's clock, in seconds. Negative if the timestamp is behind. Requests with a difference of more than 30 seconds are rejected."""


class DeviceAuthorization(Model):
    """A device login in progress (RFC 8628, section 3.2)."""
    device_code: str
    """The secret code that the device polls with. Do not show it to the user."""
    user_code: str
    """The code that the user enters at `verification_uri`."""
    verification_uri: str
    """The page where the user approves the device."""
    verification_uri_complete: str
    """`verification_uri` with `user_code` filled in, for a QR code."""
    expires_in: int
    """Lifetime of `device_code` and `user_code` in seconds."""
    interval: int
    """Minimum time between two polls, in seconds."""


class DeviceToken(Model):
    """The key pair issued to a device. It is shown only once."""
    developer_id: str
    api_key: str
    """The API key to send with each request. It is returned only in this response: store it now."""
    api_secret: str | None
    """The secret that signs requests. It is returned only in this response: store it now. Null for an Ed25519 key, because you sign with your private key."""
    key: ApiKey


class PendingDeviceLogin(Model):
    """A device login that waits to be approved or denied."""
    object: Literal["device_login"]
    status: Literal["pending"]
    client_name: str
    """The name of the device, which the device chooses itself."""
    scopes: list[Literal["projects:read", "projects:write", "services:write", "env:read", "wallets:read", "wallets:write", "wallets:freeze", "payments:read", "payments:write", "fiat:read", "fiat:write", "agents:read", "agents:write", "policies:read", "policies:write", "approvals:read", "approvals:write", "keys:read", "keys:write", "provider_keys:read", "provider_keys:write", "audit:read", "webhooks:read", "webhooks:write", "events:read", "kill_switch:write"]]
    """The scopes that the device requests. Empty for the default: all scopes except `approvals:write` and, for a test key, `audit:read`."""
    network: str | None
    """The network that started the device login: an IPv4 address, or the /64 of an IPv6 address. Null if it is unknown."""
    user_agent: str | None
    """The `User-Agent` header of the device, which the device chooses itself. Null if it sent none."""
    created_at: str
    expires_at: str


class DeviceLogin(Model):
    """A device login that was approved or denied."""
    object: Literal["device_login"]
    status: Literal["approved", "denied"]
    client_name: str
    """The name of the device."""
    key: ApiKey | None
    """The API key that was created for the device. Null if the device was denied."""


class IdentitySession(Model):
    access_token: str
    """The access token of the session. Send it as `Authorization: Bearer <token>`."""
    refresh_token: str
    """The token for `POST /developers/token/refresh`. It can be used once; each refresh returns a new one."""
    token_type: Literal["Bearer"]
    expires_in: int
    """Lifetime of the access token in seconds."""
    refresh_expires_in: int
    """Lifetime of the refresh token in seconds."""
    developer: Developer
    created: bool
    """Whether this login created the account."""
    linked: bool
    """Whether this login linked the identity provider to an existing account."""


class IdentityMfaRequired(Model):
    mfa_required: Literal[True]
    """Always true: the account requires a second factor."""
    mfa_token: str
    """The token to send to `POST /developers/login/totp`. Valid for five minutes and five attempts."""
    methods: list[Literal["totp", "recovery_code"]]
    """The types of codes that are accepted as the second factor."""
    created: bool
    """Whether this login created the account."""
    linked: bool
    """Whether this login linked the identity provider to an existing account."""


class GitHubAuthorization(Model):
    state: str
    """The OAuth `state` value, which GitHub returns when it redirects the browser. Send it to `POST /developers/oauth/github`. Valid once, until `expires_at`, and only with the cookie that this response sets."""
    authorization_url: str
    """The GitHub URL to open in the browser."""
    expires_at: str


class IdentityList(Model):
    object: Literal["list"]
    data: list[Identity]
    has_more: Literal[False]


class Identity(Model):
    """A GitHub or Google account with which the developer can log in."""
    object: Literal["identity"]
    provider: Literal["github", "google"]
    email: str
    """The email address that the provider reported at the last login."""
    linked_at: str
    last_used_at: str


class Session(Model):
    """The tokens of a dashboard session."""
    access_token: str
    """The access token of the session. Send it as `Authorization: Bearer <token>`."""
    refresh_token: str
    """The token for `POST /developers/token/refresh`. It can be used once; each refresh returns a new one."""
    token_type: Literal["Bearer"]
    expires_in: int
    """Lifetime of the access token in seconds."""
    refresh_expires_in: int
    """Lifetime of the refresh token in seconds."""
    developer: Developer


class MfaRequired(Model):
    """The password was correct, but the login requires a second factor. No session exists yet."""
    mfa_required: Literal[True]
    """Always true: the account requires a second factor."""
    mfa_token: str
    """The token to send to `POST /developers/login/totp`. Valid for five minutes and five attempts."""
    methods: list[Literal["totp", "recovery_code"]]
    """The types of codes that are accepted as the second factor."""


class DashboardSessionList(Model):
    object: Literal["list"]
    data: list[DashboardSession]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class DashboardSession(Model):
    """A dashboard session of the developer."""
    object: Literal["session"]
    session_id: str
    """The session's id, with the prefix `ses_`."""
    current: bool
    """Whether this is the session that made the request."""
    created_at: str
    last_used_at: str
    """When the session's tokens were last refreshed. Equal to `created_at` until the first refresh."""
    ip: str | None
    """The IPv4 address or IPv6 /64 network of the last login or refresh."""
    user_agent: str | None
    """The `User-Agent` of the last login or refresh."""


class TotpEnrollment(Model):
    """A secret for an authenticator app."""
    secret: str
    """The TOTP secret in Base32, for six-digit SHA-1 codes that change every 30 seconds. Shown only once."""
    otpauth_url: str
    """The TOTP secret as an `otpauth` URL, for a QR code."""


class RecoveryCodes(Model):
    recovery_codes: list[str]
    """Ten recovery codes, each valid once. They are returned only in this response: store them now."""


class ProviderKeysList(Model):
    object: Literal["list"]
    data: list[ProviderKeys | NoProviderKeys]
    has_more: Literal[False]


class ProviderKeys(Model):
    provider: Literal["pimlico", "turnkey", "fireblocks", "bridge", "helius"]
    kind: Literal["bundler", "key_management", "custody", "stablecoin_payments", "solana_access"]
    configured: Literal[True]
    mode: Literal["live", "test"]
    label: str | None
    """A name for this set of provider keys, set by the developer. Null if no name was set."""
    fields_configured: list[str]
    """Names of the fields in `credentials` that were saved. Their values are never returned."""
    version: int
    """Number of times that the keys for this provider have been saved or deleted, counted separately for each mode."""
    verification: ProviderKeyVerification
    expires_at: str | None
    """When the keys expire at the vendor, as entered by the developer. Null if no time was entered."""
    last_used_at: str | None
    """When Purser last used the keys. Updated at most once per minute. Null if the keys were not used since they were saved."""
    updated_at: str
    updated_by: str
    """The id of the developer or API key that saved the keys."""
    audit_head: str
    """The hash of the newest entry in the `provider_keys` audit chain. Store this hash. If a later export of the chain does not contain it, the chain was rewritten."""


class ProviderKeyVerification(Model):
    status: Literal["verified", "failed", "unverified", "unreachable"]
    """Result of the check. `verified`: the vendor accepted the keys. `failed`: the vendor rejected them. `unreachable`: the vendor did not respond. `unverified`: the keys were not checked."""
    checked_at: str | None
    detail: str | None
    """Why the check failed. Null unless `status` is `failed` or `unreachable`. Does not include the vendor's response."""


class NoProviderKeys(Model):
    provider: Literal["pimlico", "turnkey", "fireblocks", "bridge", "helius"]
    kind: Literal["bundler", "key_management", "custody", "stablecoin_payments", "solana_access"]
    configured: Literal[False]


class RemovedProviderKeys(Model):
    provider: Literal["pimlico", "turnkey", "fireblocks", "bridge", "helius"]
    configured: Literal[False]
    deleted_at: str | None
    """When the keys were deleted. Null if no keys were configured."""
    audit_id: str | None
    """The id of the audit entry for the deletion. Null if no keys were configured."""


class AuditVerification(Model):
    valid: bool | None
    """True if `broken_at` is null and `anchor.status` is `matched` or `pending`. False if `broken_at` is set or `anchor.status` is `mismatch`. Null if `broken_at` is null but the anchor did not respond."""
    chain: Literal["tenant", "provider_keys"]
    entries_checked: int
    """Number of entries checked."""
    first_sequence: int | None
    """Sequence number of the first entry checked. Null if no entry was checked."""
    last_sequence: int | None
    """Sequence number of the last entry checked. Null if no entry was checked."""
    genesis_hash: str
    """The `prev_hash` of the first entry, which is 64 zeros."""
    head_hash: str
    """The hash of the last entry checked. 64 zeros if the chain has no entries."""
    broken_at: AuditChainBreak | None
    anchor: AuditAnchorStatus
    truncation_detected: bool
    """Whether the newest checkpoint in the anchor covers entries that are missing from the chain."""
    checked_at: str


class AuditChainBreak(Model):
    sequence: int
    """The sequence number of the first invalid entry."""
    reason: Literal["hash_mismatch", "prev_hash_mismatch", "sequence_gap", "missing_entry"]
    """`hash_mismatch`: the entry's hash does not match its content. `prev_hash_mismatch`: `prev_hash` is not the hash of the previous entry. `sequence_gap`: the sequence numbers of two neighboring entries are not consecutive. `missing_entry`: an entry that was part of the chain is no longer stored."""
    expected: str | None
    """The value that was expected: a hash, a sequence number or an entry id, depending on `reason`."""
    actual: str | None
    """The value that was found instead. Null if nothing was found."""


class AuditAnchorStatus(Model):
    status: Literal["matched", "mismatch", "pending", "unavailable"]
    """Result of comparing the chain with the newest checkpoint in the anchor, which is external storage. A checkpoint is a signed record of the chain's length and last hash. `matched`: the signature is valid, and the chain contains the recorded hash at the recorded position. `mismatch`: the signature is invalid, the chain does not contain the recorded hash at the recorded position, or the checkpoint is missing or outdated. `pending`: no checkpoint has been stored in the anchor yet. `unavailable`: the anchor did not respond."""
    type: Literal["signed_checkpoint"]
    anchored_sequence: int | None
    """Number of chain entries that the newest checkpoint covers. Null if the anchor returned no checkpoint."""
    anchored_hash: str | None
    """The hash of the last chain entry that the newest checkpoint covers. Null if the anchor returned no checkpoint."""
    anchored_at: str | None
    """When the newest checkpoint was created. Null if the anchor returned no checkpoint."""
    reference: str | None
    """Location of the newest checkpoint in the anchor's storage. Null if the anchor returned no checkpoint."""
    unanchored_entries: int
    """Number of chain entries after the newest checkpoint."""


class ProjectList(Model):
    object: Literal["list"]
    data: list[Project]
    page: int | None
    """Absent if the call has `cursor`."""
    per_page: int
    has_more: bool
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class Project(Model):
    object: Literal["project"]
    project_id: str
    mode: Literal["live", "test"]
    name: str
    """The project's name. Unique per account and mode, ignoring case."""
    slug: str
    """The name converted to a DNS label of at most 63 characters. Not unique."""
    description: str | None
    status: Literal["active", "suspended", "deleting", "deleted", "delete_failed"]
    """Status of the project. Services can only be added to an `active` project. `delete_failed`: a provider could not delete a resource; retry the deletion."""
    monthly_cap: str
    """Maximum total of the project's charges per calendar month (UTC), in US dollars."""
    currency: Literal["usd"]
    cap_behavior: Literal["block", "require_approval"]
    """What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases."""
    provider_caps: dict[str, str]
    """Monthly caps for individual providers. They apply in addition to `monthly_cap`."""
    usage: ProjectUsage
    """Amounts spent, reserved and remaining in the current month."""
    billing: ProjectBilling
    environments: list[str]
    """The project's environments. They cannot be changed after the project is created."""
    links: list[ProjectLink]
    """The project's connections to provider accounts (links), one per provider: the link with the status `linked` or, if there is none, the newest link. Revoked links are not included."""
    services: list[ProjectService]
    """The project's services, newest first. Removed and failed services are not included."""
    agent_ids: list[str]
    """UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project."""
    policy_id: str | None
    """A policy that applies to the project, beside those that name it. Null if there is none."""
    metadata: dict[str, str]
    """Key-value pairs set by the caller."""
    created_at: str
    updated_at: str
    deleted_at: str | None
    """When the project was deleted. Always null in responses; set in the `project.deleted` event."""


class ProjectUsage(Model):
    """Amounts spent, reserved and remaining in the current month."""
    period_start: str
    """Start of the current calendar month (UTC)."""
    period_end: str
    """Start of the next calendar month (UTC)."""
    spent: str
    """Total of this month's charges whose amounts are final, excluding failed, released and refunded ones."""
    reserved: str
    """Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed."""
    remaining: str
    """`monthly_cap` minus `spent` and `reserved`, but never negative."""


class ProjectBilling(Model):
    customer_id: str | None
    """The id of the project's customer at the payment processor. The customer is created when a payment method is first attached or required; null until then."""
    status: Literal["none", "requires_payment_method", "requires_action", "ready", "past_due"]
    """Billing status of the project. `none`: the project has no customer yet. `requires_payment_method`: the project has no payment method. `requires_action`: the payment method must still be confirmed by its owner or the bank. `ready`: the payment method can be charged. `past_due`: an invoice could not be paid. Services that cost money cannot be added until it is paid; attach another payment method to pay it."""
    default_payment_method: PaymentMethod | None
    """The payment method that is charged for the project's services. Null if the project has none."""


class PaymentMethod(Model):
    id: str
    """The payment method's id at the payment processor, with the prefix `pm_`."""
    type: str
    """Type of the payment method, for example `card`."""
    brand: str | None
    """Card network, for example `visa`."""
    last4: str | None
    """Last four digits of the card number."""
    exp_month: int | None
    """Expiry month, 1 to 12."""
    exp_year: int | None
    """Expiry year, four digits."""


class ProjectLink(Model):
    provider: str
    status: Literal["pending_auth", "linked", "failed", "expired", "revoked"]
    """Status of the link to the provider. `pending_auth` until a user completes the link, then `linked`, `failed` or `expired`."""


class ProjectService(Model):
    service_id: str
    service: str
    """The service's id in the catalog, `provider/slug`, for example `neon/postgres`."""
    status: Literal["pending", "requires_action", "provisioning", "active", "updating", "rotating", "suspended", "removing", "removed", "failed"]


class ProjectDeletion(Model):
    project_id: str
    status: Literal["deleting", "deleted"]
    """Status of the deletion. `deleting` until all services are removed. Repeat the request to check the progress."""
    services: list[DeletionEffect]
    """What happens to each of the project's services, oldest first."""
    kept_customer_id: str | None
    """The id of the project's customer at the payment processor, if it stays until the project's last invoice is paid or void. Otherwise null."""


class DeletionEffect(Model):
    service_id: str
    effect: Literal["destroyed", "detached", "failed"]
    """What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider. `failed`: it could not be deleted."""
    detail: str | None
    """Why the resource could not be deleted. Null unless `effect` is `failed`."""


class ProjectOverview(Model):
    project_id: str
    status: Literal["active", "suspended", "deleting", "deleted", "delete_failed"]
    """Status of the project. Services can only be added to an `active` project. `delete_failed`: a provider could not delete a resource; retry the deletion."""
    cap: ProjectOverviewCap
    by_provider: list[ProjectOverviewByProvider]
    """Providers that have charges this month, a cap, or a service."""
    recent_charges: list[Charge]
    """The ten newest charges, regardless of month and status."""
    services: list[ProjectService]
    """The project's services, newest first. Removed and failed services are not included."""
    links: list[ProjectLink]
    """The project's connections to provider accounts (links), one per provider: the link with the status `linked` or, if there is none, the newest link. Revoked links are not included."""
    pending_actions: list[ProjectOverviewPendingAction]
    """Actions that a user must take."""
    warnings: list[Literal["cap_reached", "cap_nearly_reached", "forecast_over_cap"]]
    """Warnings about the cap. `cap_nearly_reached`: at least 80 percent of the cap is used. `forecast_over_cap`: `forecast` exceeds the cap, because the services that are in place cost more."""
    next_steps: list[str]
    """Commands that resolve the pending actions. Always empty in this API version."""


class ProjectOverviewCap(Model):
    monthly_cap: str
    currency: Literal["usd"]
    spent: str
    """Total of this month's charges whose amounts are final, excluding failed, released and refunded ones."""
    reserved: str
    """Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed."""
    remaining: str
    """`monthly_cap` minus `spent` and `reserved`, but never negative."""
    percent_used: float
    """Percentage of the cap that is spent or reserved, truncated to one decimal place."""
    behavior: Literal["block", "require_approval"]
    """What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases."""
    period_start: str
    """Start of the current calendar month (UTC)."""
    period_end: str
    """Start of the next calendar month (UTC)."""
    forecast: str
    """Expected total at the end of the month: `spent` plus `reserved`, because services reserve the whole month in advance."""


class ProjectOverviewByProvider(Model):
    provider: str
    cap: str | None
    """Monthly cap for the provider. Null if the provider has no cap."""
    spent: str
    """Total of this month's charges whose amounts are final, excluding failed, released and refunded ones."""
    reserved: str
    """Total amount reserved this month: the prices of the services and the estimated cost of metered use. The amounts become final after the month ends, or when the service is removed."""


class Charge(Model):
    charge_id: str
    service_id: str | None
    """The id of the service that the charge is for. Null if the charge is not for a service."""
    provider: str | None
    """The provider of the service. Null for a payment, and for a refund."""
    type: Literal["subscription", "usage", "one_time", "refund", "adjustment"]
    description: str
    amount: str
    """The amount of the charge in US dollars. Negative for a refund."""
    currency: Literal["usd"]
    status: Literal["reserved", "pending", "succeeded", "failed", "released", "refunded", "disputed"]
    """Status of the charge. `reserved`: the month has not ended yet, or the provider has not reported the use yet; for a payment, the amount is held. `succeeded`: the amount is final. `released`: the service could not be added, or the payment was voided, was canceled or has expired. `pending`: the amount is final, and is or will be on an invoice that is not paid yet. `failed`: the invoice could not be paid; it is paid again when another payment method is attached. `refunded`: for a payment, all of it was refunded."""
    agent_id: str | None
    """The UUID of the agent that caused the charge. Null if the developer caused it."""
    payment_id: str | None
    """The id of the payment for the charge. Null until the charge is paid. For a charge that Purser bills, the id of its invoice at the payment processor; for a refund, of the refunded charge there. For an agent's payment, equal to `charge_id`."""
    billed_by: Literal["vendor", "purser"] | None
    """Who bills the amount. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method. Null for a payment, which a wallet has paid."""
    estimated: bool
    """Whether `amount` is an estimate, because the provider did not report the metered use. Always false while the charge is `reserved`."""
    period_start: str
    """Start of the calendar month (UTC) of the charge, or the time at which the plan was changed to that of the charge."""
    period_end: str
    """End of the month, or the time at which the service was removed or its plan changed."""
    occurred_at: str


class ProjectOverviewPendingAction(Model):
    type: Literal["open_url", "attach_payment_method", "confirm_payment_method"]
    reason: str
    provider: str | None
    """The provider to link. Only included for the `open_url` action."""
    poll_url: str | None
    """URL path of the provider link. Only included for the `open_url` action. While the provider link is pending, a `GET` request to this path returns the `url` to open, if the caller is allowed to link providers."""


class ProjectDeletionPreview(Model):
    object: Literal["project_deletion_preview"]
    project_id: str
    name: str
    services: list[DeletionEffect]
    """What happens to each of the project's services, oldest first."""
    charges: list[ProjectDeletionPreviewCharge]
    """What will still be billed if the project is deleted now, and what Purser bills and is not paid yet. An item is `estimated` if the provider bills metered use."""
    variables: int
    """Number of variables that will be deleted."""


class ProjectDeletionPreviewCharge(Model):
    service_id: str | None
    """The id of the service that the charge is for. Null if the charge is not for a service."""
    provider: str | None
    """The provider of the service. Null for a payment, and for a refund."""
    description: str
    amount: str
    """The amount of the charge in US dollars. Negative for a refund."""
    currency: Literal["usd"]
    billed_by: Literal["vendor", "purser"] | None
    """Who bills the amount. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method. Null for a payment, which a wallet has paid."""
    estimated: bool
    """Whether `amount` is an estimate, because the provider did not report the metered use. Always false while the charge is `reserved`."""
    period_start: str
    """Start of the calendar month (UTC) of the charge, or the time at which the plan was changed to that of the charge."""
    period_end: str
    """End of the month, or the time at which the service was removed or its plan changed."""


class ChargeList(Model):
    object: Literal["list"]
    data: list[Charge]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class EnvBundle(Model):
    object: Literal["env_bundle"]
    project_id: str
    environment: str
    version: int
    """Number of times that the project's variables have been changed, in any environment."""
    env: dict[str, str] | None
    """Values by variable name. `null` if `names_only` is true."""
    variables: list[EnvBundleVariable]
    """The variables of the bundle, sorted by name."""
    fingerprint: str
    """SHA-256 of the canonical JSON (RFC 8785) of an object with the names and values of the returned variables, in lowercase hexadecimal. Includes the values even if `names_only` is true."""
    fingerprint_alg: Literal["sha256"]
    pulled_at: str
    audit_id: str
    """The id of the audit entry for this request."""
    warnings: list[str]
    """Human-readable warnings about variables that are renamed, hidden by another variable with the same name, or requested but not set, and about services whose resource was not found at the provider; and `dotenv_unportable:NAME` for each value that some readers of `.env` files read otherwise."""


class EnvBundleVariable(Model):
    name: str
    source: Literal["project", "service"]
    service_id: str | None
    """The id of the service that provides the variable. Only included if `source` is `service`."""
    credential_version: int | None
    """The version of the service's credential. Only included if `source` is `service`."""
    sensitive: bool
    """Whether the value is a secret that tools should not display."""
    updated_at: str


class EnvComparison(Model):
    object: Literal["env_comparison"]
    environment: str
    names: list[EnvComparisonName]
    """Every name of the request and of the environment, sorted."""


class EnvComparisonName(Model):
    name: str
    result: Literal["same", "differs", "missing", "extra"]
    """`same` and `differs`: whether the sent value is the one of the environment. `missing`: only the environment has the variable. `extra`: only the request has it."""


class VariableList(Model):
    object: Literal["list"]
    data: list[Variable]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class Variable(Model):
    """A variable without its value. Only `GET /projects/{project_id}/env` returns values."""
    object: Literal["variable"]
    name: str
    environments: list[str]
    """Environments in which the variable has a value."""
    sensitive: bool
    """Whether the value is a secret that tools should not display."""
    version: int
    """Number of times the variable has been set, starting at 1."""
    updated_at: str


class DeletedVariable(Model):
    object: Literal["variable"]
    name: str
    environments: list[str]
    """Environments in which the variable had a value."""
    deleted: Literal[True]


class Catalog(Model):
    object: Literal["list"]
    catalog_version: str
    """Catalog version, a `YYYY-MM-DD` date."""
    data: list[CatalogProvider]
    has_more: bool
    next_cursor: str | None


class CatalogProvider(Model):
    provider: str
    """The provider's id, for example `neon`."""
    display_name: str
    categories: list[str]
    auth: Literal["oauth", "api_token", "instant"]
    """How a project is linked to the provider. `oauth`: a user gives consent on the provider's page. `api_token`: a user enters an API token for the provider in a form. `instant`: the provider creates an account immediately."""
    protocol: str
    """The protocol that Purser uses to call the provider. `native` is the provider's own API, `agentic-0.1d` the agentic provisioning protocol."""
    terms: CatalogProviderTerms
    """The provider's terms of service."""
    regions: list[str]
    """The provider's regions. The first one is the default."""
    health: Literal["ok", "degraded", "down"]
    """The provider's health when this version of the catalog was published, or when its entry was last read. `degraded`: the entry is not current."""
    services: list[CatalogService]


class CatalogProviderTerms(Model):
    """The provider's terms of service."""
    version: str
    """Current version of the terms. To accept the terms, send this version as `accept_terms_version`."""
    url: str
    """URL of the terms."""


class CatalogService(Model):
    service: str
    """Id of the service: `provider/slug`."""
    kind: Literal["plan", "deployable", "addon"]
    """Kind of the service. `deployable`: adding the service creates a resource at the provider."""
    description: str
    async_: bool
    """Whether provisioning takes minutes. If true, `POST /projects/{project_id}/services` usually returns a `poll_url`."""
    credential_type: Literal["single", "multiple"]
    """How many valid credentials a resource can have at the same time. `single`: one. `multiple`: several."""
    deprovision_effect: Literal["destroy", "detach"]
    """What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider."""
    config_schema: dict[str, Any]
    """JSON Schema of `config` in the request that adds the service."""
    env_vars: list[CatalogServiceEnvVar]
    """Variables that the service adds to env bundles. Empty if the provider's catalog does not contain them: the names are then fixed when the resource is created, and start with the provider's id."""
    requires_plan: list[str]
    """Plans that the service requires, for example `neon/launch`. Empty if it requires none. Not checked in this API version."""
    plans: list[CatalogPlan]
    """The service's plans. The first one is the default."""
    llm_context_url: str | None
    """URL of the provider's documentation that is written for language models."""
    docs_url: str | None
    """URL of the provider's documentation that is written for people."""


class CatalogServiceEnvVar(Model):
    name: str
    """Name of the variable, without the `env_prefix` of a service."""
    sensitive: bool
    """Whether the value is a secret."""


class CatalogPlan(Model):
    plan: str
    """Id of the plan within the service, for example `free`."""
    pricing: CatalogPlanPricing
    limits: dict[str, float] | None
    """The plan's limits. Each name ends with its unit, for example `storage_gb`."""
    payment_method_required: bool
    """Whether the plan requires a payment method that can be charged."""
    preauthorization_amount: str | None
    """Estimated cost of one month of use. When a service is added, this amount or the fixed price, whichever is higher, is reserved. Reserved amounts count toward the caps of the project and the provider."""
    billed_by: Literal["vendor", "purser"]
    """Who bills the plan. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method."""
    proration: Literal["none", "daily"]
    """What a fixed price costs in a month in which the service was added, removed or changed its plan. `none`: the whole price. `daily`: a part for each started day."""
    allowed_updates: list[str]
    """Ids of the plans that a service with this plan can switch to."""


class CatalogPlanPricing(Model):
    type: Literal["free", "paid", "component", "usage"]
    """Type of the price. `paid`: a fixed price per billing interval. `usage`: billed by metered use."""
    amount: str | None
    """Fixed price per billing interval."""
    currency: Literal["usd"] | None
    interval: Literal["month", "year"] | None
    usage: list[UnitPrice] | None
    """Prices for metered use."""


class UnitPrice(Model):
    metric: str
    """The billed quantity, for example `compute_hours`."""
    unit_price: str
    """Price per unit of the metric."""


class Operation(Model):
    object: Literal["operation"]
    operation_id: str
    project_id: str | None
    """The id of the project that the operation belongs to. Null if it does not belong to a project."""
    mode: Literal["live", "test"]
    type: Literal["service.add", "service.rotate", "service.upgrade", "service.remove", "project.delete"]
    status: Literal["running", "requires_approval", "succeeded", "failed", "compensated", "needs_operator"]
    subject: Subject
    """The object that the operation changes, for example a project or a service."""
    service_id: str | None
    """The id of the service, if `subject` is a service. Null for all other subjects."""
    steps: list[OperationStep]
    """The steps in the order in which they run."""
    error: Problem | None
    """An error in the Problem Details format (RFC 9457)."""
    expected_callback_seconds: int | None
    """Typical duration of the operation in seconds. Null unless the operation is waiting for the provider."""
    poll_url: str | None
    """URL path to poll for the operation's status. Null if the operation has ended."""
    created_at: str
    updated_at: str


class Subject(Model):
    type: str
    id: str


class OperationStep(Model):
    name: str
    status: Literal["pending", "running", "succeeded", "failed", "compensated", "skipped"]
    at: str | None
    """When the step's `status` last changed. Null while the step is pending."""


class Problem(Model):
    """An error in the Problem Details format (RFC 9457)."""
    type: str
    """URI reference of the problem type: `/errors/` followed by the `code`."""
    title: str
    """Short human-readable summary. It is the same for all problems with the same code."""
    status: int
    """HTTP status code."""
    detail: str
    """Human-readable explanation. The text can change; do not parse it."""
    code: Literal["authentication_failed", "email_not_verified", "insufficient_scope", "admin_review_required", "reauthentication_required", "cross_origin", "not_found", "developer_not_found", "api_key_not_found", "session_not_found", "identity_not_found", "project_not_found", "link_not_found", "service_not_found", "operation_not_found", "agent_not_found", "agent_suspended", "kya_required", "policy_denied", "policy_not_found", "approval_not_found", "cap_exceeded", "payment_method_required", "provider_not_linked", "tos_acceptance_required", "insufficient_funds", "wallet_frozen", "wallet_not_found", "wallet_already_exists", "live_wallet", "network_not_enabled", "fiat_account_not_found", "bank_link_not_found", "conversion_not_found", "quote_expired", "kyb_required", "provider_not_configured", "unsupported_pair", "network_unavailable", "kill_switch_not_found", "event_not_found", "webhook_not_found", "payment_not_found", "not_refundable", "link_in_use", "invalid_state", "not_upgradable", "provider_error", "provider_unavailable", "variable_not_found", "method_not_allowed", "already_exists", "conflict", "account_changed", "version_conflict", "secret_already_issued", "idempotency_in_flight", "signature_replayed", "payload_too_large", "misdirected_request", "expectation_failed", "unsupported_media_type", "validation_error", "invalid_token", "idempotency_conflict", "rate_limited", "headers_too_large", "bad_request", "request_timeout", "internal_error", "service_unavailable", "authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant"]
    """Stable error code. Use it, not the texts, to decide how to handle the error. More codes can be added, so handle unknown ones too."""
    request_id: str
    """The request id, also sent in the `X-Request-Id` header. Include it when you contact support."""
    retryable: bool
    """Whether the same request can succeed later. If true, the response includes the `Retry-After` header."""
    errors: list[InvalidField]
    """The invalid values, at most 50. Empty if the problem is not caused by invalid values."""
    decision: LimitDecision | RuleDecision | KyaDecision | BalanceDecision | None
    next_action: NextAction | None
    wallet_id: str | None
    """The existing wallet. Only `wallet_already_exists` has it."""


class InvalidField(Model):
    pointer: str
    """JSON pointer to the value. The first part is the location in the request, for example `/body/name`."""
    code: str
    """The rule that the value violates, such as `format`."""
    detail: str
    """Human-readable explanation of what is wrong with the field."""


class LimitDecision(Model):
    rule_id: str
    """The rule that refused the request."""
    policy_id: str | None
    """The policy of the rule."""
    policy_version: int | None
    """The version of the policy."""
    limit: str
    used: str
    remaining: str
    resets_at: str | None
    """When the used amount decreases next. Null if it never does."""


class RuleDecision(Model):
    rule_id: str
    """The rule that refused the request."""
    policy_id: str | None
    """The policy of the rule."""
    policy_version: int | None
    """The version of the policy."""


class KyaDecision(Model):
    gate: Literal["kya"]
    required_level: Literal["none", "basic", "verified", "attested"]
    actual_level: Literal["none", "basic", "verified", "attested"]
    missing: list[str]
    """The evidence that would raise the level."""


class BalanceDecision(Model):
    available: str
    required: str


class NextAction(Model):
    """What has to be done before the request can succeed. Only some errors have it."""
    type: str
    actor: Literal["human", "agent"]
    """Who has to act."""
    url: str | None
    """Where to act."""
    expires_at: str | None


class AuditEntryList(Model):
    object: Literal["list"]
    data: list[AuditEntry]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class AuditEntry(Model):
    audit_id: str
    chain: Literal["tenant", "provider_keys"]
    tenant_id: str
    mode: Literal["live", "test"]
    sequence: int
    """Position of the entry in the chain. The first entry is 1."""
    actor: AuditEntryActor
    action: str
    subject: Subject
    facts: dict[str, Any]
    """Details of the change. The fields depend on `action`. Secrets are included only as keyed HMACs."""
    request_id: str | None
    """The id of the request that made the change. Null for changes made by background jobs or from the command line."""
    occurred_at: str
    prev_hash: str
    """The `hash` of the previous entry in the chain. 64 zeros for the first entry."""
    hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of all other fields, in lowercase hexadecimal."""


class AuditEntryActor(Model):
    type: Literal["developer", "agent", "admin", "system"]
    id: str
    key_id: str | None
    """The id of the API key that signed the request for the change. Null if no API key was used."""
    ip: str | None
    """The client's IPv4 address or IPv6 /64 network. Null for changes made by admins, by background jobs or from the command line."""


class AuditCheckpointList(Model):
    object: Literal["list"]
    data: list[AuditCheckpoint]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class AuditCheckpoint(Model):
    object: Literal["audit_checkpoint"]
    tenant_id: str
    chain: Literal["tenant", "provider_keys"]
    sequence: int
    """Number of entries in the chain when the checkpoint was created."""
    head_hash: str
    """The hash of the chain's newest entry when the checkpoint was created."""
    time: str
    prev_checkpoint_hash: str
    """The `checkpoint_hash` of the previous checkpoint. 64 zeros for the first checkpoint."""
    checkpoint_hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of `tenant_id`, `chain`, `sequence`, `head_hash`, `time` and `prev_checkpoint_hash`."""
    key_id: str
    """The `kid` of the signing key in `/.well-known/jwks.json`."""
    signature: str
    """Ed25519 signature over the text of `checkpoint_hash`, encoded as Base64url."""
    anchored_at: str | None
    """When the checkpoint was stored in the anchor, which is external storage. Null until then."""
    reference: str | None
    """Location of the checkpoint in the anchor's storage. Null until the anchor has accepted the checkpoint."""


class PaymentMethodAttachment(Model):
    customer_id: str
    """The id of the project's customer at the payment processor."""
    payment_method: PaymentMethod
    setup_intent: PaymentMethodAttachmentSetupIntent
    """The setup of the payment method at the payment processor."""


class PaymentMethodAttachmentSetupIntent(Model):
    """The setup of the payment method at the payment processor."""
    id: str
    status: Literal["succeeded", "requires_action", "processing", "requires_payment_method"]
    """Status of the setup. `succeeded`: the payment method can be charged. `requires_action`: the owner must take the action in `next_action`. `processing`: the bank has not responded yet."""
    client_secret: str | None
    """The secret that the payment processor's browser library needs to complete the setup. Pass it to the owner's browser. Null unless `status` is `requires_action`."""
    next_action: PaymentMethodAttachmentSetupIntentNextAction | None
    """The action that the owner must take. Null unless `status` is `requires_action`."""


class PaymentMethodAttachmentSetupIntentNextAction(Model):
    type: Literal["open_url", "use_client_secret"]
    actor: Literal["human"]
    url: str | None
    """URL of the bank's page on which the owner confirms the payment method. Only included if `type` is `open_url`."""


class InvoiceList(Model):
    object: Literal["list"]
    data: list[Invoice]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class Invoice(Model):
    object: Literal["invoice"]
    invoice_id: str
    mode: Literal["live", "test"]
    project_id: str
    project_name: str
    """The name of the project, also of a deleted one."""
    period: str
    """The calendar month (UTC) of the invoice. Charges of earlier months can be on it too."""
    status: Literal["preparing", "open", "paid", "void", "uncollectible"]
    """`preparing`: not made at the payment processor yet. `open`: not paid yet. `uncollectible`: the payment processor has given up, but the amount is still owed."""
    past_due: bool
    """Whether a payment was declined and the amount is still owed."""
    currency: Literal["usd"]
    amount: str
    """The sum of all charges on the invoice, in US dollars."""
    charges: list[InvoiceCharge]
    """The first 50 charges on the invoice, by their ids."""
    has_more_charges: bool
    """Whether the invoice has more charges than `charges`."""
    processor_invoice_id: str | None
    """The id of the invoice at the payment processor, which is the `payment_id` of its paid charges. Null while it is `preparing`."""
    created_at: str
    updated_at: str
    paid_at: str | None
    """When Purser learned that the invoice was paid. Null unless it is paid."""


class InvoiceCharge(Model):
    charge_id: str
    description: str
    amount: str
    """In US dollars. Negative for a refund."""


class Link(Model):
    object: Literal["link"]
    link_id: str
    project_id: str
    mode: Literal["live", "test"]
    provider: str
    flow: Literal["oauth", "api_token", "instant"]
    """How the link is completed. `oauth`: a user gives consent on the provider's page. `api_token`: a user enters an API token for the provider in a form. `instant`: the provider creates an account immediately, without a user's action."""
    status: Literal["pending_auth", "linked", "failed", "expired", "revoked"]
    """Status of the link. `pending_auth` until a user completes the link, then `linked`, `failed`, `expired` or `revoked`."""
    error: Literal["access_denied", "exchange_failed", "token_refused", "provider_refused", "provider_unavailable", "other_account", "project_not_active"] | None
    """Why the link failed. Null if it did not fail. `access_denied`: the user denied access. `exchange_failed`: the provider did not exchange the authorization code for tokens. `token_refused`: the token that the user entered is invalid. `provider_refused`: the provider returned another error. `provider_unavailable`: the provider did not respond. `other_account`: the project has services in a different account at this provider. `project_not_active`: the project is no longer active."""
    url: str | None
    """URL of the page on which a user completes the link. If `flow` is `oauth`, it is the provider's consent page. If `flow` is `api_token`, it is a form on this server in which the user enters an API token for the provider. Keep the URL secret: anyone who has it can complete the link. Null unless `status` is `pending_auth`. Always null in lists and for callers that cannot link providers."""
    state: str | None
    """The OAuth `state` value that identifies this link when the provider redirects the user to Purser. Null if `url` is null or `flow` is `api_token`."""
    expires_at: str | None
    """When the link expires if it is not completed: ten minutes after it was created. Null unless `status` is `pending_auth` or `expired`."""
    poll_url: str
    """URL path to poll for the status of this link."""
    next_action: LinkNextAction | None
    """The action that a user must take, which is to open `url`. Null unless `status` is `pending_auth`."""
    linked_at: str | None
    """When the link was completed. Null if it has not been completed."""
    account_label: str | None
    """The provider's name for the linked account, for example an email address or an organization. Null until the link is completed."""
    scopes: list[str]
    """The OAuth scopes from the request that started the link. They can differ from the scopes that the provider granted."""
    created_at: str
    updated_at: str


class LinkNextAction(Model):
    type: Literal["open_url"]
    actor: Literal["human"]


class FinishedLink(Model):
    link_id: str
    provider: str
    status: Literal["linked", "failed"]
    error: Literal["access_denied", "exchange_failed", "token_refused", "provider_refused", "provider_unavailable", "other_account", "project_not_active"] | None
    """Why the link failed. Null if it did not fail. `access_denied`: the user denied access. `exchange_failed`: the provider did not exchange the authorization code for tokens. `token_refused`: the token that the user entered is invalid. `provider_refused`: the provider returned another error. `provider_unavailable`: the provider did not respond. `other_account`: the project has services in a different account at this provider. `project_not_active`: the project is no longer active."""


class LinkList(Model):
    object: Literal["list"]
    data: list[Link]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class ServiceAddition(Model):
    service: Service
    operation: Operation
    env: dict[str, str] | None
    """The service's variables by name. Null unless the service is active and the call is signed with a key that has the scope `env:read`."""
    env_names: list[str]
    """Names of the service's variables."""
    fingerprint: str | None
    """SHA-256 of the canonical JSON (RFC 8785) of `env`, in lowercase hexadecimal. Null if `env` is null."""
    expected_callback_seconds: int | None
    """Typical duration in seconds until the operation ends. Null if the operation has ended or its duration is unknown."""
    poll_url: str | None
    """URL path to poll for the operation's status. Null if the operation has ended."""
    approval: Approval | None
    """The approval that the operation waits for. Null unless the operation's status is `requires_approval`."""


class Service(Model):
    object: Literal["service"]
    service_id: str
    project_id: str
    mode: Literal["live", "test"]
    link_id: str
    """The id of the link to the provider that was used to add the service."""
    provider: str
    service: str
    """The service's id in the catalog, `provider/slug`, for example `neon/postgres`."""
    name: str
    """The service's name, unique within the project."""
    plan: str
    status: Literal["pending", "requires_action", "provisioning", "active", "updating", "rotating", "suspended", "removing", "removed", "failed"]
    """Status of the service. `active`: the service can be used. `pending` and `provisioning`: the service is being added. `updating`: its plan is being changed, and its variables stay valid. `rotating`: a new credential is being issued, and its variables stay valid. `failed`: the service could not be added, and everything created for it was removed."""
    region: str
    config: dict[str, Any]
    """The `config` from the request that added the service."""
    environments: list[str]
    """Environments whose env bundles contain the service's variables."""
    env_prefix: str | None
    """Prefix for the names of the service's variables. Null if no prefix was set."""
    env_names: list[str]
    """Names of the service's variables in env bundles. They are fixed when the service is added."""
    credential: ServiceCredential
    pricing: ServicePrice
    allowed_updates: list[str]
    """Ids of the plans that the service can switch to."""
    pending_plan: PendingPlan | None
    """The plan that the service changes to when the month ends. Null if no change is scheduled. A change to the current plan cancels it."""
    deprovision_effect: Literal["destroy", "detach"]
    """What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider, for example because the service was added with `existing_resource_id`, or because the provider keeps its data and ends only Purser's access."""
    provider_resource_id: str | None
    """The resource's id at the provider. Null until the resource is created."""
    dashboard_url_available: bool
    """Whether `POST /projects/{project_id}/services/{service_id}/deep-link` returns a URL of the provider's dashboard."""
    notification: ServiceNotification | None
    """Something that the owner should know. Null if there is nothing. `level` is `error` if the resource was not found at the provider, for example because it was deleted there; `href` is then the URL path of the service. `level` is `warn` if the provider has changed the price of the plan: `title` names both prices, and `href` is the URL path of the provider's catalog entry."""
    agent_id: str | None
    """The UUID of the agent that added the service. Null if the developer added it."""
    metadata: dict[str, str]
    """Key-value pairs set by the caller."""
    created_at: str
    updated_at: str
    removed_at: str | None
    """When the service was removed. Null if it has not been removed."""


class ServiceCredential(Model):
    version: int
    """Version of the credential, starting at 1. 0 if no credential has been issued yet."""
    type: Literal["single", "multiple"]
    """How many valid credentials a resource can have at the same time. `single`: one. `multiple`: several."""
    rotated_at: str | None
    """When this version of the credential was issued. Null if no credential has been issued yet."""
    previous_valid_until: str | None
    """When the former credential is retired. Null if the former credential is not valid."""
    pulled_by: list[CredentialPull] | None
    """The API keys that have pulled the credential, at most 50: those with the oldest versions first, then the newest pulls first. A pull within a minute after another one of the same version is not recorded. Only in the response to getService."""
    expires_at: str | None
    """When the credential expires. `null` if it never expires."""


class CredentialPull(Model):
    key_id: str
    version: int
    """The version that the API key has pulled last."""
    pulled_at: str


class ServicePrice(Model):
    """Price of the service. It is the price when the service got its plan, except for a provider with the protocol `native` that bills the plan itself: then it is the price in the catalog."""
    type: Literal["free", "paid", "component", "usage"]
    amount: str | None
    """Fixed price per billing interval. Absent if the service is billed by use only."""
    currency: Literal["usd"] | None
    interval: Literal["month", "year"] | None


class PendingPlan(Model):
    plan: str
    effective_at: str
    """The start of the next calendar month (UTC)."""


class ServiceNotification(Model):
    level: str
    title: str
    href: str


class Approval(Model):
    object: Literal["approval"]
    approval_id: str
    mode: Literal["live", "test"]
    status: Literal["pending", "approved", "denied", "expired", "canceled"]
    """Status of the approval. `pending` until a person decides, then `approved` or `denied`. `expired` from the second of `expires_at`. `canceled` if what waits for the approval has ended."""
    subject: Subject
    """What waits for the approval, for example a service."""
    agent_id: str | None
    """The agent that made the request. Null if the developer made it."""
    summary: ApprovalSummary
    """What a person is shown before deciding."""
    approve_url: str
    """URL path that approves the request with POST. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents."""
    approve_page_url: str
    """URL of the page on which the developer decides, after logging in. Show it to a person."""
    requested_by: Actor
    approvers: list[str]
    """Who may decide. `role:owner` is the developer."""
    votes: list[ApprovalVote]
    """The decision, with its time and its way."""
    rules: list[ApprovalRule]
    """The rules that require this approval. After the approval they count as satisfied."""
    expires_at: str
    decided_at: str | None
    """When `status` stopped being `pending`. Null while it is `pending`."""
    long_poll_url: str
    """URL path that responds as soon as the approval is decided, or after 30 seconds."""
    outcome: ApprovalOutcome | None
    """What has happened to what waited. Only in the responses of approve and deny, and if one approval is read that is no longer pending. An operation can still run."""
    created_at: str
    updated_at: str


class ApprovalSummary(Model):
    """What a person is shown before deciding."""
    title: str
    """What happens after the approval, in one line."""
    amount: str | None
    """The amount that is spent. Null if nothing is spent."""
    currency: str | None
    """Currency or token of the amount. Null if `amount` is null."""
    payee: str | None
    """Who receives the amount."""
    reason: str | None
    """The reason that the caller gave. Purser has not checked it."""
    line_items: list[ApprovalSummaryLineItem]
    """The parts of the amount."""
    risk_flags: list[str]
    """What is unusual about the request, for example `new_payee`."""


class ApprovalSummaryLineItem(Model):
    description: str
    amount: str


class ApprovalVote(Model):
    decision: Literal["approved", "denied"]
    by: Actor
    via: Literal["api", "dashboard", "email_link"]
    """How the person decided: with an API key, with a dashboard session, or on the page of the emailed URL."""
    at: str
    note: str | None


class ApprovalRule(Model):
    policy_id: str | None
    """The policy of the rule. Null if the rule does not belong to a policy."""
    policy_version: int | None
    rule_id: str


class ApprovalOutcome(Model):
    """What has happened to what waited. Only in the responses of approve and deny, and if one approval is read that is no longer pending. An operation can still run."""
    status: str
    """The payment's status, or the operation's."""
    failure: Failure | None
    """Why it was not carried out. Null if it was, or if it still runs."""


class Failure(Model):
    code: str
    detail: str


class ServiceList(Model):
    object: Literal["list"]
    data: list[Service]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class ServiceRotation(Model):
    service_id: str
    credential_version: int
    """Version of the credential that env bundles contain."""
    mode: Literal["overlap", "immediate"]
    """`overlap`: the former credential stays valid for the grace period. `immediate`: the provider ends it when it issues the new one."""
    status: Literal["completed", "pending"]
    """`pending` until the provider refuses the former credential."""
    previous_valid_until: str | None
    """When the former credential is retired. Null if it is not valid."""
    env_names: list[str]
    """Names of the service's variables."""
    changed: bool
    """Whether env bundles contain a new credential. Purser has used it once, unless `warnings` contains `not_verified`. False as well if the provider returned the credential that the service had already."""
    warnings: list[Literal["downtime", "unchanged", "not_verified", "former_version_in_use", "former_credential_not_retired"]]
    """`downtime`: clients fail until they pull the new credential. `unchanged`: the provider returned the same credential. `not_verified`: Purser has not used the new credential, because it cannot use credentials of this provider, or because the provider did not accept it after ending the former one. `former_version_in_use`: an API key has last pulled the former version (see `credential.pulled_by` of the service). `former_credential_not_retired`: the provider still accepts the former credential; repeat the request."""
    operation_id: str
    poll_url: str | None
    """URL path to poll for the operation's status. Null if the operation has ended."""


class ServiceRemoval(Model):
    object: Literal["service"]
    service_id: str
    project_id: str
    mode: Literal["live", "test"]
    link_id: str
    """The id of the link to the provider that was used to add the service."""
    provider: str
    service: str
    """The service's id in the catalog, `provider/slug`, for example `neon/postgres`."""
    name: str
    """The service's name, unique within the project."""
    plan: str
    status: Literal["pending", "requires_action", "provisioning", "active", "updating", "rotating", "suspended", "removing", "removed", "failed"]
    """Status of the service. `active`: the service can be used. `pending` and `provisioning`: the service is being added. `updating`: its plan is being changed, and its variables stay valid. `rotating`: a new credential is being issued, and its variables stay valid. `failed`: the service could not be added, and everything created for it was removed."""
    region: str
    config: dict[str, Any]
    """The `config` from the request that added the service."""
    environments: list[str]
    """Environments whose env bundles contain the service's variables."""
    env_prefix: str | None
    """Prefix for the names of the service's variables. Null if no prefix was set."""
    env_names: list[str]
    """Names of the service's variables in env bundles. They are fixed when the service is added."""
    credential: ServiceCredential
    pricing: ServicePrice
    allowed_updates: list[str]
    """Ids of the plans that the service can switch to."""
    pending_plan: PendingPlan | None
    """The plan that the service changes to when the month ends. Null if no change is scheduled. A change to the current plan cancels it."""
    deprovision_effect: Literal["destroy", "detach"]
    """What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider, for example because the service was added with `existing_resource_id`, or because the provider keeps its data and ends only Purser's access."""
    provider_resource_id: str | None
    """The resource's id at the provider. Null until the resource is created."""
    dashboard_url_available: bool
    """Whether `POST /projects/{project_id}/services/{service_id}/deep-link` returns a URL of the provider's dashboard."""
    notification: ServiceNotification | None
    """Something that the owner should know. Null if there is nothing. `level` is `error` if the resource was not found at the provider, for example because it was deleted there; `href` is then the URL path of the service. `level` is `warn` if the provider has changed the price of the plan: `title` names both prices, and `href` is the URL path of the provider's catalog entry."""
    agent_id: str | None
    """The UUID of the agent that added the service. Null if the developer added it."""
    metadata: dict[str, str]
    """Key-value pairs set by the caller."""
    created_at: str
    updated_at: str
    removed_at: str | None
    """When the service was removed. Null if it has not been removed."""
    effect: Literal["destroyed", "detached"]
    """What happens to the provider's resource. `destroyed`: it is deleted with its data. `detached`: it stays at the provider."""
    operation: Operation
    poll_url: str | None
    """URL path to poll for the operation's status. Null if the operation has ended."""


class ServiceUpgrade(Model):
    service: Service
    previous_plan: str
    """The plan of the service before the call."""
    changed: bool
    """Whether the provider is asked to change the plan. False if the service has the plan already."""
    price_change: ServiceUpgradePriceChange
    status: Literal["completed", "pending"]
    """`completed`: the service has the requested plan. `pending`: the operation has not ended, or the plan changes when the month ends (see `service.pending_plan`)."""
    operation: Operation | None
    """The operation that changes the plan. Null if nothing had to be changed."""
    poll_url: str | None
    """URL path to poll for the operation's status. Null if there is none or it has ended."""
    approval: Approval | None
    """The approval that the operation waits for. Null unless the operation's status is `requires_approval`."""


class ServiceUpgradePriceChange(Model):
    old: str
    """The monthly cost of the previous plan, in US dollars."""
    new: str
    """The monthly cost of the requested plan."""
    old_usage: list[UnitPrice]
    """The previous plan's prices for metered use. Empty if its use is not metered."""
    new_usage: list[UnitPrice]
    """The requested plan's prices for metered use."""
    proration: str
    """What the change costs for the rest of the current month. Negative if the month costs less. Metered use is not included."""


class DeepLink(Model):
    object: Literal["deep_link"]
    url: str
    """URL of the provider's dashboard that can be used once. Keep it secret: anyone who has it can use it."""
    expires_at: str | None
    """When the URL expires. Null if the provider does not say."""


class Policy(Model):
    """A policy: the rules that decide what agents can do."""
    object: Literal["policy"]
    policy_id: str
    mode: Literal["live", "test"]
    name: str
    version: int
    """Number of the current version. The first version is 1, and each change adds one."""
    status: Literal["active", "deleted"]
    """Status of the policy. `deleted` only in the `policy.updated` event of its deletion."""
    default: Literal["deny"]
    """What happens to an operation that no rule allows: it is refused."""
    starter: bool
    """Whether this is the starter policy of the account and mode. It applies to agents to which no other policy applies, and cannot be deleted."""
    applies_to: PolicyAppliesTo
    """The agents, wallets and projects to which the policy applies. A key that is bound to agents sees only its own agents. It also applies to agents and projects whose `policy_id` is its id."""
    rules: list[PolicyRule]
    """The rules, in the order of the request."""
    approvals: PolicyApprovals
    warnings: list[PolicyWarning] | None
    """Conditions that no operation of this version can match, up to 50. `pointer` is the JSON pointer to each. Absent if there are none."""
    created_at: str
    updated_at: str


class PolicyAppliesTo(Model):
    """The agents, wallets and projects to which the policy applies. A key that is bound to agents sees only its own agents. It also applies to agents and projects whose `policy_id` is its id."""
    agent_ids: list[str]
    wallet_ids: list[str]
    project_ids: list[str]


class PolicyRule(Model):
    id: str
    """1 to 64 letters, digits, underscores and hyphens, unique in the policy. `default`, `threshold`, `project_cap`, `provider_cap` and `max_fee` are reserved."""
    effect: Literal["allow", "deny", "limit", "require_approval"]
    """`deny` refuses. `limit` refuses what exceeds its `budget` or `count`, and permits nothing. `require_approval` permits what a person approves. `allow` permits."""
    operation: Literal["payment", "x402", "mpp", "contract_call", "service.add", "service.upgrade", "env.pull", "on_ramp", "off_ramp", "wallet.create", "*"] | None
    """The operation that the rule is about. Default: `*`, every operation."""
    when: PolicyConditions | None
    budget: PolicyBudget | None
    count: PolicyCount | None
    shared: bool | None
    """If `true`, the limit counts all agents of the policy together. Default: `false`, each agent for itself. Only for limits."""


class PolicyConditions(Model):
    """The rule matches if all conditions hold. A condition does not hold if its fact is unknown. Default: `{}`, which always holds."""
    amount_usd: AmountCondition | None
    """The amount in US dollars."""
    monthly_cost_usd: AmountCondition | None
    """The monthly price of a service in US dollars."""
    payee: PayeeCondition | None
    network: TextCondition | None
    """The network of a payment."""
    token: TextCondition | None
    """The token of a payment."""
    provider: TextCondition | None
    """The provider of a service."""
    service: TextCondition | None
    """The service's id in the catalog."""
    category: TextCondition | None
    """The service's category in the catalog."""
    plan: TextCondition | None
    """The plan of a service."""
    kya_level: KyaLevelCondition | None
    payee_first_seen: bool | None
    """`true` if the payee has never been paid before."""
    time_utc: TimeCondition | None


class AmountCondition(Model):
    gt: str | None
    gte: str | None
    lt: str | None
    lte: str | None
    eq: str | None


class PayeeCondition(Model):
    """Who is paid, ignoring case."""
    eq: str | None
    """Text without line breaks, tabs or other control characters."""
    in_: list[str] | None
    not_in: list[str] | None


class TextCondition(Model):
    eq: str | None
    """Text without line breaks, tabs or other control characters."""
    in_: list[str] | None
    not_in: list[str] | None


class KyaLevelCondition(Model):
    """The agent's know-your-agent level."""
    eq: Literal["none", "basic", "verified", "attested"] | None
    in_: list[Literal["none", "basic", "verified", "attested"]] | None
    not_in: list[Literal["none", "basic", "verified", "attested"]] | None


class TimeCondition(Model):
    """The time of the day in UTC."""
    inside: str | None
    """`HH:MM-HH:MM`, two times of the day in UTC. The first minute is inside, the last is not. If the first time is later than the second, the range contains midnight."""
    outside: str | None
    """`HH:MM-HH:MM`, two times of the day in UTC. The first minute is inside, the last is not. If the first time is later than the second, the range contains midnight."""


class PolicyBudget(Model):
    """The largest total of the period. With `per_tx`, the largest amount of one operation. Only for limits."""
    max: str
    currency: Literal["usd"] | None
    period: Literal["per_tx", "calendar_day", "calendar_month", "rolling_1h", "rolling_24h", "rolling_7d", "rolling_30d"]


class PolicyCount(Model):
    """The largest number of operations in the period. Only for limits."""
    max: int
    period: Literal["calendar_day", "calendar_month", "rolling_1h", "rolling_24h", "rolling_7d", "rolling_30d"]


class PolicyApprovals(Model):
    """How people approve. An operation whose amount is more than `threshold_usd` needs an approval."""
    threshold_usd: str | None
    approvers: list[Literal["role:owner"]] | None
    """Who can approve. Default: `["role:owner"]`, the account's owner."""
    required: int | None
    """How many people have to approve. Default: 1."""
    expires_in_seconds: int | None
    """After this time an approval expires. Default: 600."""


class PolicyWarning(Model):
    pointer: str
    code: str
    detail: str


class PolicyList(Model):
    object: Literal["list"]
    data: list[Policy]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class PolicyEvaluation(Model):
    """What policies decide about an operation."""
    object: Literal["policy_evaluation"]
    outcome: Literal["allow", "require_approval", "deny"]
    policy_id: str | None
    """The policy. Null for a policy that is not stored."""
    policy_version: int | None
    """The version of the policy. Null for a policy that is not stored."""
    rule_id: str
    """The rule that decides: its id, `default` if no rule permits the operation, or `threshold` for an amount above `threshold_usd`."""
    decision: LimitDecision | RuleDecision | KyaDecision | BalanceDecision | None
    """As in the error that the operation would get. Null unless it is refused."""
    policies: list[PolicyEvaluationPolicie]
    """Each policy that applies, with what it decides alone."""


class PolicyEvaluationPolicie(Model):
    policy_id: str | None
    """The policy. Null for a policy that is not stored."""
    version: int | None
    """The version of the policy. Null for a policy that is not stored."""
    outcome: Literal["allow", "require_approval", "deny"]
    rule_id: str
    """The rule that decides: its id, `default` if no rule permits the operation, or `threshold` for an amount above `threshold_usd`."""
    rules: list[PolicyEvaluationPolicieRule]


class PolicyEvaluationPolicieRule(Model):
    rule_id: str
    effect: Literal["allow", "deny", "limit", "require_approval"]
    matched: bool
    """Whether the rule is about this operation."""
    reason: str
    """Why the rule matches, or why it does not."""


class Backtest(Model):
    """What a policy would have decided about the past operations of an agent."""
    object: Literal["backtest"]
    policy_id: str
    agent_id: str
    from_: str
    to: str
    decisions: int
    """Number of operations of the agent in the period."""
    truncated: bool
    """Whether the agent has more than 100,000 operations in the period. Only the oldest 100,000 are counted."""
    totals: BacktestTotals
    by_rule: list[BacktestByRule]
    """The rules that would refuse an operation or ask for an approval."""
    by_day: list[BacktestByDay]
    """The days with operations, oldest first."""


class BacktestTotals(Model):
    allowed: int
    """Number of operations that would be allowed."""
    refused: int
    """Number of operations that would be refused."""
    asked: int
    """Number of operations that would need an approval."""
    allowed_usd: str
    refused_usd: str
    asked_usd: str


class BacktestByRule(Model):
    rule_id: str
    """A rule's id, `default` if no rule permits, or `threshold`."""
    refused: int
    """Number of operations that would be refused."""
    asked: int
    """Number of operations that would need an approval."""
    amount_usd: str
    """Total amount of the operations that would be refused or need an approval."""


class BacktestByDay(Model):
    date: str
    """A day in UTC, `YYYY-MM-DD`."""
    allowed: int
    """Number of operations that would be allowed."""
    refused: int
    """Number of operations that would be refused."""
    asked: int
    """Number of operations that would need an approval."""
    amount_usd: str
    """Total amount of the operations that would be refused or need an approval."""


class Agent(Model):
    object: Literal["agent"]
    agent_id: str
    mode: Literal["live", "test"]
    name: str
    description: str | None
    status: Literal["active", "suspended", "revoked", "expired"]
    """Status of the agent. Only an `active` agent can act, and only while all its ancestors are active. `revoked` and `expired` are final."""
    owner_developer_id: str
    project_ids: list[str]
    """The projects whose `agent_ids` include the agent, at most 100."""
    policy_id: str | None
    """A policy that applies to the agent in addition to those that name it."""
    kya: AgentKya
    public_keys: list[AgentPublicKey]
    """Public keys whose private keys the agent has proved to hold."""
    software: AgentSoftware | None
    budget: AgentBudget | None
    """What the limits of its policies leave. Null if there are none, and in every response but that of `GET /agents/{agent_id}`."""
    expires_at: str | None
    """When the agent expires. Null if it never does."""
    parent_agent_id: str | None
    """The agent that this agent acts for. Its policies apply too."""
    metadata: dict[str, str]
    created_at: str
    updated_at: str


class AgentKya(Model):
    level: Literal["none", "basic", "verified", "attested"]
    """The level of the highest evidence. `attested`: a token of another issuer. `verified`: the developer's business is verified. `basic`: a public key whose private key the agent holds."""
    score: int | None
    """Always null in this API version."""
    status: Literal["passed", "failed", "pending", "expired"]
    """`passed` if the level is not `none`. `expired` if the only evidence is an expired token, else `pending`. `failed` is reserved."""
    evidence: list[AgentKyaEvidence]
    evaluated_at: str
    expires_at: str | None
    """When the evidence for the level expires. Null if it never does."""
    token_url: str
    """URL path that returns a token about the agent."""


class AgentKyaEvidence(Model):
    type: Literal["developer_kyb", "public_key", "external_token"]
    issuer: str | None
    """The issuer of an external token."""
    status: Literal["verified", "proven", "expired"]


class AgentPublicKey(Model):
    kid: str
    """The first 16 hex characters of the SHA-256 of the raw public key."""
    alg: Literal["ed25519"]
    public_key: str
    """The raw public key in base64url."""


class AgentSoftware(Model):
    name: str | None
    version: str | None
    model: str | None


class AgentBudget(Model):
    currency: Literal["usd"]
    daily: PeriodBudget | None
    monthly: PeriodBudget | None


class PeriodBudget(Model):
    limit: str
    used: str
    remaining: str


class AgentList(Model):
    object: Literal["list"]
    data: list[Agent]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class AgentBudgets(Model):
    object: Literal["agent_budgets"]
    agent_id: str
    mode: Literal["live", "test"]
    limits: list[AgentLimit]
    """The limits of the policies of the agent and its ancestors, and of those of its wallets and projects."""
    caps: list[AgentCap]
    """The monthly caps of the 20 newest projects that list the agent."""
    as_of: str


class AgentLimit(Model):
    policy_id: str
    policy_name: str
    policy_version: int
    rule_id: str
    operation: Literal["payment", "x402", "mpp", "contract_call", "service.add", "service.upgrade", "env.pull", "on_ramp", "off_ramp", "wallet.create"] | None
    """The operation that the rule is about. Null: every operation."""
    conditional: bool
    """Whether the rule has conditions, so that not every operation counts."""
    kind: Literal["budget", "count"]
    """Whether amounts or operations are limited."""
    window: Literal["per_tx", "calendar_day", "calendar_month", "rolling_1h", "rolling_24h", "rolling_7d", "rolling_30d"]
    """`per_tx`: each single operation."""
    shared: bool
    """Whether all agents of the policy count together."""
    agent_id: str | None
    """The agent that counts: this one, or an ancestor. Null for a shared limit, and for `per_tx`."""
    wallet_id: str | None
    """The limit applies only to this wallet of the agent. Null: to all."""
    project_id: str | None
    """The limit applies only in this project. Null: in all."""
    currency: Literal["usd"] | None
    """Null for a `count`."""
    limit: str
    """An amount in US dollars, or a number of operations for a `count`."""
    spent: str
    """What was used of it in the window."""
    reserved: str
    """What is held of it, for example for authorizations."""
    remaining: str
    """What is neither spent nor reserved."""
    resets_at: str | None
    """When what is used decreases next. Null if nothing is used, and for `per_tx`."""


class AgentCap(Model):
    rule_id: Literal["project_cap", "provider_cap"]
    """As in the refusal `cap_exceeded`."""
    project_id: str
    project_name: str
    provider: str | None
    """The provider of a `provider_cap`. Null for a `project_cap`."""
    cap_behavior: Literal["block", "require_approval"]
    """What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases."""
    window: Literal["calendar_month"]
    currency: Literal["usd"]
    limit: str
    spent: str
    reserved: str
    remaining: str
    resets_at: str


class KyaToken(Model):
    object: Literal["kya_token"]
    token: str
    """A JWT with `typ` `kya+jwt`, signed with EdDSA. Claims: `iss` (this server), `sub` (the agent: `{mode}/{developer_id}/{agent_id}`), `aud`, `iat`, `exp`, `jti`, `kya_level`, `owner` (the developer's id), `name` and `mode`."""
    expires_at: str
    jwks_url: str
    """The public keys that verify the token."""


class Wallet(Model):
    object: Literal["wallet"]
    wallet_id: str
    mode: Literal["live", "test"]
    agent_id: str
    name: str | None
    network: Literal["ethereum", "base", "arbitrum", "optimism", "polygon", "ethereum-sepolia", "base-sepolia", "arbitrum-sepolia", "optimism-sepolia", "polygon-amoy"]
    chain_id: str
    """The network's CAIP-2 id."""
    address: str
    """The address of the smart account, with the checksum of EIP-55. It can receive tokens before it is deployed."""
    account_type: Literal["erc4337_v0.8"]
    entry_point: str
    """The contract that runs the account's operations."""
    factory: str
    """The contract that deploys the account."""
    salt: str
    """Distinguishes accounts of one owner. Always 0."""
    owner: str
    """The address of the key that signs for the account."""
    recovery_address: str | None
    """The address that can replace a lost key after a delay. Null for none."""
    deployment_status: Literal["counterfactual", "deploying", "deployed", "failed"]
    """`counterfactual`: the address is known, and its contract is not deployed yet."""
    deployment_tx: str | None
    status: Literal["active", "freezing", "frozen", "unfreezing", "closed"]
    gas: Literal["sponsored"]
    """Who pays for the network: Purser."""
    policy_id: str | None
    """A policy that applies to the wallet in addition to those that name it."""
    freeze: WalletFreeze
    balances: list[WalletBalance]
    """One balance for each token."""
    balances_as_of: str
    metadata: dict[str, str]
    created_at: str
    updated_at: str


class WalletBalance(Model):
    token: Literal["USDC", "USDT", "PYUSD", "EURC"]
    contract: str | None
    """The token's contract on the network. Null if Purser does not know it."""
    decimals: int
    """One token is 10 to this power base units."""
    total: str
    """The balance of the wallet: in `GET …/balance` of a live wallet, that on the chain."""
    available: str
    """What the wallet can pay: the balance in the ledger minus `held`. The ledger has a deposit once it is final."""
    held: str
    """What is held for payments that are not settled."""
    base_units: str
    """`total` in the smallest unit of the token."""
    usd_value: str | None
    """The value of `total` in US dollars. Null for EURC."""


class WalletList(Model):
    object: Literal["list"]
    data: list[Wallet]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class AgentWallets(Model):
    object: Literal["list"]
    agent_id: str
    data: list[Wallet]


class WalletBalances(Model):
    object: Literal["wallet_balances"]
    wallet_id: str
    network: Literal["ethereum", "base", "arbitrum", "optimism", "polygon", "ethereum-sepolia", "base-sepolia", "arbitrum-sepolia", "optimism-sepolia", "polygon-amoy"]
    balances: list[WalletBalance]
    source: Literal["cache", "database", "chain"]
    """Where the balances were read: `chain` for those of live wallets, if the network answers."""
    as_of: str
    """When the balances were read."""
    stale: bool
    """Whether the network of a live wallet did not answer. The totals are then those of the ledger."""


class WalletActivityList(Model):
    object: Literal["list"]
    data: list[WalletActivity]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class WalletActivity(Model):
    object: Literal["wallet_activity"]
    activity_id: str
    """The id of the funding, the deposit, the payment, the refund or the change of the freeze."""
    type: Literal["deposit", "payment", "refund", "freeze", "unfreeze"]
    """`deposit`: test tokens, a transfer on the chain of a live wallet, or a payment to the wallet. `payment`: a payment by it. `refund`: a refund of a payment by it (`in`) or to it (`out`)."""
    wallet_id: str
    token: Literal["USDC", "USDT", "PYUSD", "EURC"] | None
    direction: Literal["in", "out"] | None
    """Whether the money enters or leaves the wallet. Null for a change of the freeze."""
    amount: str | None
    """Without a sign. Null for a change of the freeze."""
    signed_amount: str | None
    """What has entered the wallet or, with a minus, left it. `0.00` if nothing has, for example of an authorization that is not captured. Null for a change of the freeze."""
    captured_amount: str | None
    """What was captured of an authorization by the wallet. Null for all else, and until it is captured."""
    status: Literal["requires_approval", "approved", "queued", "signing", "submitted", "confirmed", "authorized", "captured", "voided", "denied", "rejected", "expired", "canceled", "failed", "dropped", "refunded", "partially_refunded", "pending"] | None
    """The status of the payment. `confirmed` for test tokens and for refunds. A transfer on the chain is `pending` until it is final, then `confirmed`."""
    tx_hash: str | None
    """The transaction of a transfer on the chain."""
    payment_id: str | None
    """The payment, or the one that was refunded."""
    freeze: WalletActivityFreeze | None
    """The freeze that was made or lifted, and by whom. Null for other types."""
    created_at: str


class WalletActivityFreeze(Model):
    mode: Literal["outgoing_only", "full"]
    source: Literal["developer", "admin"]
    reason: Literal["compliance", "compliance_review", "suspected_compromise", "sanctions_match", "policy_violation", "anomaly", "user_request", "legal_order", "other"] | None
    note: str | None
    reference: str | None
    by: Actor


class WalletFunding(Model):
    object: Literal["wallet_funding"]
    funding_id: str
    wallet_id: str
    token: Literal["USDC", "USDT", "PYUSD", "EURC"]
    amount: str
    balances: list[WalletBalance]
    """The balances afterwards."""
    mode: Literal["test"]
    created_at: str


class WalletFreezeReport(Model):
    wallet_id: str
    mode: Literal["live", "test"]
    status: Literal["active", "freezing", "frozen", "unfreezing", "closed"]
    freeze: WalletFreeze
    onchain: WalletFreezeReportOnchain
    """The freeze of the account's contract: `confirmed` once a block contains it, `pending` until then, `failed` after 10 minutes. `simulated` in test mode."""
    blocked: WalletFreezeReportBlocked
    proof: RevocationProof


class WalletFreezeReportOnchain(Model):
    """The freeze of the account's contract: `confirmed` once a block contains it, `pending` until then, `failed` after 10 minutes. `simulated` in test mode."""
    status: Literal["not_frozen", "pending", "confirmed", "failed", "unfreeze_pending", "simulated"]
    user_op_hash: str | None
    """Always null: a freeze is a transaction of Purser, not of the account."""
    tx_hash: str | None
    """The transaction. It can change until the freeze is `confirmed`."""
    block_number: int | None


class WalletFreezeReportBlocked(Model):
    payments_canceled: int
    """The payments that waited for an approval, a capture or their turn. Purser cancels them shortly after the freeze."""
    user_ops_dropped: int
    """The operations that were being signed or sent, and were in no block. The freeze on the chain ends them."""
    user_ops_already_mined: int
    """The operations that were in a block that was not final yet. Their payments are made."""


class RevocationProof(Model):
    """A signed proof of this object, which anyone can verify offline."""
    revocation_id: str
    """The id of the freeze or the kill switch."""
    decision_hash: str
    """Lowercase hex SHA-256 of the canonical JSON (RFC 8785) of this object without `proof`, and with `revocation_id`."""
    signature: str
    """Ed25519 signature in base64url."""
    alg: Literal["ed25519"]
    kid: str
    """The key's id in `/.well-known/jwks.json`."""


class Payment(Model):
    object: Literal["payment"]
    payment_id: str
    mode: Literal["live", "test"]
    agent_id: str
    """The agent that pays."""
    wallet_id: str
    """The wallet that pays."""
    network: str
    token: str
    amount: str
    """The amount that the payee gets."""
    paid_amount: str | None
    """The amount that the payee got. Less than `amount` if less was captured. Null until the payee is paid."""
    refunded_amount: str
    """The part of `paid_amount` that was refunded."""
    to: PaymentPayee
    status: Literal["requires_approval", "approved", "queued", "signing", "submitted", "confirmed", "authorized", "captured", "voided", "denied", "rejected", "expired", "canceled", "failed", "dropped", "refunded", "partially_refunded"]
    execution: Literal["auto", "authorize_only"]
    purpose: str | None
    reference: str | None
    decision: PolicyVerdict
    project_id: str | None
    """The project whose monthly cap the payment counts toward."""
    reservation: PaymentReservation | None
    """The amount in the budgets. Null if the payment counts toward none."""
    fees: list[PaymentFee]
    """What the payment costs on top of `amount`. Purser pays for the network."""
    onchain: PaymentOnchain | None
    """The payment on its network. Null in test mode, and until the payment is signed."""
    approval: PaymentApproval | None
    """The newest approval of the payment. Null if none was required."""
    failure: Failure | None
    """Why the payment ended without paying. Null otherwise."""
    receipt: PaymentReceipt | None
    """A signed proof of the payment, which anyone can verify offline. Null until the payee is paid."""
    metadata: dict[str, str]
    expires_at: str | None
    """When the approval or the authorization expires. Null if the payment never waited."""
    created_at: str
    settled_at: str | None
    """When the payee was paid."""
    updated_at: str


class PaymentPayee(Model):
    """Who is paid."""
    type: Literal["address", "agent", "wallet", "x402_url", "merchant"]
    value: str
    """The payee as the request named it. An address has the checksum of EIP-55."""
    address: str
    """The address that is paid, with the checksum of EIP-55."""
    wallet_id: str | None
    """The wallet of the same account that is paid. Null for any other address."""


class PolicyVerdict(Model):
    """What the agent's policies decided, and the rule that decided."""
    outcome: Literal["allow", "require_approval", "deny"]
    policy_id: str | None
    policy_version: int | None
    rule_id: str | None
    kya_level: Literal["none", "basic", "verified", "attested"]
    """The agent's know-your-agent level."""
    screening: None
    """Always null in this version."""


class PaymentReservation(Model):
    """The amount in the budgets. Null if the payment counts toward none."""
    reservation_id: str
    amount: str


class PaymentFee(Model):
    type: Literal["network"]
    amount: str
    sponsored: bool
    """Whether Purser pays the fee."""


class PaymentOnchain(Model):
    user_op_hash: str
    """The hash of the account's operation (ERC-4337)."""
    tx_hash: str | None
    """The transaction that contains the operation. It can change until the payment is `confirmed`."""
    nonce_key: str
    """The first 192 bits of the operation's nonce, in hex."""
    block_number: int | None
    confirmations: int
    """The blocks from that block to the newest, as last seen."""


class PaymentApproval(Model):
    """The newest approval of the payment. Null if none was required."""
    approval_id: str
    approve_url: str
    """URL path that approves the payment with POST."""
    approve_page_url: str
    """URL of the page on which the developer decides, after logging in."""
    long_poll_url: str
    """URL path that responds as soon as the approval is decided."""


class PaymentReceipt(Model):
    """A signed proof of the payment, which anyone can verify offline. Null until the payee is paid."""
    payment_id: str
    chain_id: str | None
    """The network's CAIP-2 id. Null in test mode."""
    hash: str
    """Lowercase hex SHA-256 of the receipt's canonical JSON (RFC 8785)."""
    signature: str
    """Ed25519 signature in base64url."""
    alg: Literal["ed25519"]
    kid: str
    """The key's id in `/.well-known/jwks.json`."""


class PaymentSimulation(Model):
    object: Literal["payment_simulation"]
    outcome: Literal["allow", "require_approval", "deny"]
    """`allow` if the payment would be made, `require_approval` if a person would be asked, and `deny` if it would be refused."""
    mode: Literal["live", "test"]
    agent_id: str
    """The agent that pays."""
    wallet_id: str
    """The wallet that pays."""
    network: str
    token: str
    amount: str
    """The amount that the payee gets."""
    fees: list[PaymentFee]
    """What the payment costs on top of `amount`. Purser pays for the network."""
    to: PaymentPayee
    project_id: str | None
    """The project whose monthly cap the payment counts toward."""
    decision: PolicyVerdict
    refusal: Problem | None
    """The error that the payment would fail with. Null unless it would be refused."""


class PaymentList(Model):
    object: Literal["list"]
    data: list[Payment]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class LinkToken(Model):
    object: Literal["link_token"]
    link_token: str
    """Start Plaid Link with it in the user's browser."""
    expiration: str
    hosted_link_url: None
    """Always null in this version."""
    request_id: str


class VerifiedAccount(Model):
    account: FiatAccount
    kyc: VerifiedAccountKyc


class FiatAccount(Model):
    object: Literal["fiat_account"]
    account_id: str
    institution_name: str | None
    """The bank's name."""
    name: str
    """The account's name at the bank."""
    mask: str | None
    """The last digits of the account number."""
    type: str
    subtype: Literal["checking", "savings"]
    currency: Literal["usd"]
    country: Literal["US"]
    status: Literal["pending_verification", "verified", "relink_required", "disabled", "removed"]
    """Whether the bank account can be used. `relink_required`: the bank asks for a new login; call link-account with this account."""
    verification: FiatAccountVerification
    capabilities: list[Literal["ach_push", "ach_credit", "wire"]]
    """What the account can be used for. Empty unless `status` is `verified`."""
    kyc_status: Literal["approved", "pending", "review", "rejected"]
    """How far the holder is identified. See verify-account."""
    provider: Literal["plaid"]
    created_at: str
    relink_required_at: str | None


class FiatAccountVerification(Model):
    method: Literal["instant", "micro_deposit"]
    status: Literal["pending", "automatically_verified", "failed"]


class VerifiedAccountKyc(Model):
    status: Literal["approved", "pending", "review", "rejected"]
    """`pending`: the holder has something to do, or the vendors are still checking. `review`: a person checks. Only `approved` can convert."""
    screening: VerifiedAccountKycScreening
    requirements: VerifiedAccountKycRequirements
    """What the holder has to do."""


class VerifiedAccountKycScreening(Model):
    sanctions: Literal["clear", "hit", "pending"]
    """The search in lists of sanctioned persons."""


class VerifiedAccountKycRequirements(Model):
    """What the holder has to do."""
    identity_check: VerifiedAccountKycRequirementsIdentityCheck | None
    """The holder has to prove an identity."""
    terms: VerifiedAccountKycRequirementsTerms | None
    """The holder has to accept the terms of the payment provider."""


class VerifiedAccountKycRequirementsIdentityCheck(Model):
    """The holder has to prove an identity."""
    status: Literal["due"]
    url: str
    """The page for the holder."""


class VerifiedAccountKycRequirementsTerms(Model):
    """The holder has to accept the terms of the payment provider."""
    status: Literal["due"]
    url: str
    """The page for the holder."""


class FiatAccountList(Model):
    object: Literal["list"]
    data: list[FiatAccount]
    has_more: Literal[False]


class ExchangeRate(Model):
    object: Literal["exchange_rate"]
    source: str
    dest: str
    rate: str
    """What one unit of `source` is worth in `dest`, after the spread."""
    inverse_rate: str
    """1 divided by `rate`."""
    mid_rate: str
    """The rate before the spread."""
    spread_bps: int
    """The spread in hundredths of a percent. 0 with your own Bridge keys."""
    provider: Literal["bridge"]
    as_of: str
    expires_at: str
    """When the rate can change."""


class Conversion(Model):
    object: Literal["conversion"]
    conversion_id: str | None
    """Null with `validate_only`."""
    direction: Literal["on_ramp", "off_ramp"]
    status: Literal["quoted", "awaiting_funds", "in_review", "funds_received", "payment_submitted", "completed", "undeliverable", "returned", "missing_return_policy", "refund_in_flight", "refunded", "refund_failed", "canceled", "expired", "failed"]
    source: ConversionBankSide | ConversionWalletSide
    """What is converted."""
    destination: ConversionBankSide | ConversionWalletSide
    """What it becomes: the source minus the fees."""
    rate: str
    """The rate before fees: always 1.0000."""
    fees: list[ConversionFee]
    quote: ConversionQuote | None
    """With `execute: false`. Null for others."""
    deposit_instructions: ConversionDepositInstructions | None
    """Where to send the dollars of an on-ramp. The transfer must have the reference. Null once they have arrived."""
    trace: ConversionTrace
    provider: Literal["bridge"]
    provider_reference: str | None
    """Bridge's id of the transfer."""
    failure: Failure | None
    """Why the conversion ended."""
    return_reason: str | None
    timeline: list[ConversionTimeline]
    """The statuses that the conversion has had."""
    expected_completion_at: str | None
    agent_id: str | None
    """The agent that acts. Null for the developer."""
    project_id: str | None
    payment_reserved: bool
    """Whether the amount is reserved in budgets."""
    external_reference_id: str | None
    metadata: dict[str, str]
    created_at: str
    updated_at: str
    completed_at: str | None


class ConversionBankSide(Model):
    type: Literal["fiat_account"]
    account_id: str
    mask: str | None
    amount: str
    currency: Literal["usd"]
    payment_rail: str


class ConversionWalletSide(Model):
    type: Literal["wallet"]
    wallet_id: str
    network: Literal["ethereum", "base", "arbitrum", "optimism", "polygon", "ethereum-sepolia", "base-sepolia", "arbitrum-sepolia", "optimism-sepolia", "polygon-amoy"]
    amount: str
    token: Literal["usdc"]


class ConversionFee(Model):
    type: Literal["provider", "network"]
    amount: str
    currency: Literal["usd"]


class ConversionQuote(Model):
    """With `execute: false`. Null for others."""
    quote_id: str
    expires_at: str


class ConversionDepositInstructions(Model):
    """Where to send the dollars of an on-ramp. The transfer must have the reference. Null once they have arrived."""
    bank_name: str | None
    account_number: str | None
    routing_number: str | None
    reference: str | None


class ConversionTrace(Model):
    tx_hash: str | None
    tx_final: bool
    ach_trace_number: str | None
    imad: str | None


class ConversionTimeline(Model):
    status: Literal["quoted", "awaiting_funds", "in_review", "funds_received", "payment_submitted", "completed", "undeliverable", "returned", "missing_return_policy", "refund_in_flight", "refunded", "refund_failed", "canceled", "expired", "failed"]
    at: str


class ConversionList(Model):
    object: Literal["list"]
    data: list[Conversion]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class ApprovalList(Model):
    object: Literal["list"]
    data: list[Approval]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class KillSwitch(Model):
    object: Literal["kill_switch"]
    kill_switch_id: str
    mode: Literal["live", "test"]
    scope: Literal["agent", "project", "developer"]
    id: str
    """The id of the agent, the project or the developer."""
    reason: str
    onchain: bool
    rotate_env: bool
    status: Literal["running", "completed", "blocked_pending"]
    """`running`: not everything has been killed yet. `completed`: everything is dead. `blocked_pending`: the run has ended, and some targets are not dead yet."""
    run: int
    """The number of the current run: 1, and one more for each reconciliation."""
    triggered_by: Subject
    counts: list[KillSwitchCounts]
    """The numbers of targets by type and outcome."""
    created_at: str
    completed_at: str | None
    """When the newest run that ended has ended. Null during the first run."""
    updated_at: str
    targets: list[KillSwitchTarget]
    """The first 1,000 targets: those that are not dead, then the others in the order of their types and ids."""
    targets_omitted: int
    """The number of targets that are not listed."""
    proof: RevocationProof | None
    """A signed proof of this object. Null while the kill switch is running."""


class KillSwitchCounts(Model):
    type: Literal["project", "agent", "wallet", "approval", "payment", "project_env", "api_key"]
    killed: int
    already_dead: int
    blocked_pending: int
    failed: int


class KillSwitchTarget(Model):
    type: Literal["project", "agent", "wallet", "approval", "payment", "project_env", "api_key"]
    id: str
    outcome: Literal["killed", "already_dead", "blocked_pending", "failed"]
    onchain: Literal["simulated", "confirmed", "blocked_pending", "failed"] | None
    """The freeze of a wallet on the chain, when the run reached it. `blocked_pending`: no block contains it yet; reconcile to see the outcome. Null for other targets, and if `onchain` is false."""
    detail: str | None
    """Why the target is not dead. Null if it is."""


class KillSwitchSummaryList(Model):
    object: Literal["list"]
    data: list[KillSwitchSummary]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class KillSwitchSummary(Model):
    object: Literal["kill_switch"]
    kill_switch_id: str
    mode: Literal["live", "test"]
    scope: Literal["agent", "project", "developer"]
    id: str
    """The id of the agent, the project or the developer."""
    reason: str
    onchain: bool
    rotate_env: bool
    status: Literal["running", "completed", "blocked_pending"]
    """`running`: not everything has been killed yet. `completed`: everything is dead. `blocked_pending`: the run has ended, and some targets are not dead yet."""
    run: int
    """The number of the current run: 1, and one more for each reconciliation."""
    triggered_by: Subject
    counts: list[KillSwitchCounts]
    """The numbers of targets by type and outcome."""
    created_at: str
    completed_at: str | None
    """When the newest run that ended has ended. Null during the first run."""
    updated_at: str


class EventList(Model):
    object: Literal["list"]
    data: list[Event]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class Event(Model):
    object: Literal["event"]
    id: str
    """The id of the event. Webhooks repeat it in the header `webhook-id`."""
    type: Literal["developer.email_verified", "developer.kyb_updated", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.grace_ending", "api_key.auth_failures_spike", "provider_key.saved", "provider_key.deleted", "provider_key.verification_failed", "provider_key.expiring", "audit.anchor_mismatch", "project.created", "project.updated", "project.deleted", "project.cap_threshold_reached", "project.cap_exceeded_blocked", "link.completed", "link.failed", "link.expired", "link.revoked", "service.provisioning", "service.active", "service.failed", "service.plan_changed", "service.plan_change_scheduled", "service.plan_change_canceled", "service.plan_change_failed", "service.rotated", "service.rotation_pending", "service.removed", "service.resource_missing", "service.resource_found", "env.pulled", "env.changed", "payment_method.attached", "payment_method.requires_action", "charge.succeeded", "charge.failed", "charge.refunded", "agent.created", "agent.updated", "agent.suspended", "agent.resumed", "agent.revoked", "agent.expired", "agent.kya_changed", "policy.created", "policy.updated", "policy.rolled_back", "approval.requested", "approval.approved", "approval.denied", "approval.expired", "approval.canceled", "wallet.created", "wallet.updated", "wallet.deployed", "wallet.deployment_failed", "wallet.frozen", "wallet.freeze_onchain_pending", "wallet.freeze_onchain_confirmed", "wallet.freeze_onchain_failed", "wallet.freeze_onchain_lifted", "wallet.unfrozen", "wallet.deposit_received", "payment.requires_approval", "payment.queued", "payment.submitted", "payment.confirmed", "payment.authorized", "payment.captured", "payment.voided", "payment.denied", "payment.expired", "payment.canceled", "payment.failed", "payment.dropped", "payment.refunded", "payment.capture_refused", "payment.void_refused", "payment.refund_refused", "conversion.quoted", "conversion.awaiting_funds", "conversion.in_review", "conversion.funds_received", "conversion.payment_submitted", "conversion.completed", "conversion.undeliverable", "conversion.returned", "conversion.missing_return_policy", "conversion.refund_in_flight", "conversion.refunded", "conversion.refund_failed", "conversion.canceled", "conversion.expired", "conversion.failed", "fiat_account.verified", "fiat_account.relink_required", "fiat_account.disabled", "kill_switch.triggered", "kill_switch.reconciled", "kill_switch.completed", "kill_switch.blocked_pending", "webhook.disabled", "webhook.test"]
    api_version: str
    """The version of the API in which `data` is written."""
    mode: Literal["live", "test"]
    sequence: int | None
    """The number of the event among those of its subject, from 1 without gaps. Null if the event changes nothing of its subject."""
    subject: EventSubject
    occurred_at: str
    data: EventData
    request_id: str | None
    """The request that made the change. Null if Purser made it by itself."""
    actor: Actor


class EventSubject(Model):
    type: str
    id: str
    version: int | None
    """The same number as `sequence`."""


class EventData(Model):
    object: dict[str, Any]
    """The subject after the change, as the API returns it."""
    previous: dict[str, Any] | None
    """The former values of the fields that the change has changed. Null if the event is the first of its subject, has no `sequence`, or if the event before it has been deleted."""


class WebhookWithSecret(Model):
    object: Literal["webhook"]
    webhook_id: str
    mode: Literal["live", "test"]
    url: str
    description: str | None
    event_types: list[str]
    """Event types, and beginnings of types such as `payment.*`."""
    project_ids: list[str]
    """Only events of these projects. Empty: of all, and of none."""
    agent_ids: list[str]
    """Only events of these agents. Empty: of all, and of none."""
    enabled: bool
    disabled_reason: Literal["failing", "gone"] | None
    """Why Purser disabled it: no delivery succeeded for five days (`failing`), or the server answered 410 (`gone`). Null if it is enabled, or if you disabled it."""
    failing_since: str | None
    """Since when no delivery has succeeded. Null if the last one did."""
    created_at: str
    updated_at: str
    secret: str
    """Verifies deliveries. Shown only in this response. `whsec_` and a key in Base64."""
    previous_secret_expires_at: str | None
    """Until when deliveries are also signed with the secret before this one."""


class WebhookList(Model):
    object: Literal["list"]
    data: list[Webhook]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class Webhook(Model):
    object: Literal["webhook"]
    webhook_id: str
    mode: Literal["live", "test"]
    url: str
    description: str | None
    event_types: list[str]
    """Event types, and beginnings of types such as `payment.*`."""
    project_ids: list[str]
    """Only events of these projects. Empty: of all, and of none."""
    agent_ids: list[str]
    """Only events of these agents. Empty: of all, and of none."""
    enabled: bool
    disabled_reason: Literal["failing", "gone"] | None
    """Why Purser disabled it: no delivery succeeded for five days (`failing`), or the server answered 410 (`gone`). Null if it is enabled, or if you disabled it."""
    failing_since: str | None
    """Since when no delivery has succeeded. Null if the last one did."""
    created_at: str
    updated_at: str


class WebhookDelivery(Model):
    object: Literal["webhook_delivery"]
    webhook_id: str
    event_id: str
    event_type: str
    status: Literal["pending", "delivered", "failed"]
    """`pending`: it is tried again at `next_attempt_at`. `failed`: it is not tried again, but can be replayed."""
    attempts: int
    attempted_at: str | None
    """When it was tried last. Null if it waits for an earlier event of its subject."""
    next_attempt_at: str | None
    response_status: int | None
    """The HTTP status of the last answer. Null if there was none."""
    response_body: str | None
    """The start of the last answer: 64 KiB, or 1 KiB after a success."""
    error: str | None
    """Why there was no answer, for example `timeout` or `ECONNREFUSED`."""
    duration_ms: int | None
    """How long the last attempt took."""
    created_at: str


class WebhookReplay(Model):
    object: Literal["webhook_replay"]
    webhook_id: str
    since: str | None
    event_ids: list[str]


class WebhookDeliveryList(Model):
    object: Literal["list"]
    data: list[WebhookDelivery]
    has_more: bool
    """Whether another page follows."""
    next_cursor: str | None
    """The `cursor` value for the next page. Null on the last page."""


class ServerTime(Model):
    unix: int
    """The server's time as a Unix timestamp in seconds."""
    iso: str


class LimitList(Model):
    object: Literal["limits"]
    data: list[Limit]


class Limit(Model):
    name: Literal["requests"]
    scope: Literal["key"]
    limit: int
    """Size of the token bucket, in requests."""
    remaining: int
    """Number of requests that can be made now."""
    reset_seconds: int
    """Seconds until the bucket is full again."""
    policy: str
    """The bucket's size and the seconds that an empty bucket takes to refill, for example `600;w=60`."""


class AdminLoginChallenge(Model):
    mfa_token: str
    """The token to send to `POST /admin/login/totp`."""
    expires_in: int
    """Lifetime of `mfa_token` in seconds."""


class AdminSession(Model):
    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int
    """Lifetime of the access token in seconds."""


UpdateDashboardProfileRequestNotificationPreferencesParam = TypedDict("UpdateDashboardProfileRequestNotificationPreferencesParam", {
    # Whether to send notifications about approvals.
    "approvals": "NotRequired[bool | None]",
    # Whether to send notifications about spending caps.
    "caps": "NotRequired[bool | None]",
    # Whether to send notifications about security.
    "security": "NotRequired[bool | None]",
    # Whether to send notifications about product news.
    "product": "NotRequired[bool | None]",
})


ProviderKeyRequestCredentialsParam = TypedDict("ProviderKeyRequestCredentialsParam", {
    "api_key": "NotRequired[str]",
    "api_public_key": "NotRequired[str]",
    "api_private_key": "NotRequired[str]",
    # Text without NUL characters.
    "api_secret_pem": "NotRequired[str]",
    "organization_id": "NotRequired[str]",
    "vault_account_id": "NotRequired[str]",
    "sponsorship_policy_id": "NotRequired[str]",
    # Names or CAIP-2 ids of the networks that the keys are used for.
    "chains": "NotRequired[Sequence[str]]",
    # Text without NUL characters.
    "webhook_public_key": "NotRequired[str]",
    "environment": "NotRequired[Literal[\"production\", \"sandbox\"]]",
    # The vendor's API URL. Default: the vendor's public API.
    "base_url": "NotRequired[str]",
    # The vendor's RPC URL. Default: the vendor's public endpoint.
    "rpc_url": "NotRequired[str]",
})


ProjectCreateRequestProviderCapsParam = TypedDict("ProjectCreateRequestProviderCapsParam", {
    # An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider.
    "neon": "NotRequired[Amount]",
    # An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider.
    "supabase": "NotRequired[Amount]",
})


ProjectUpdateRequestProviderCapsParam = TypedDict("ProjectUpdateRequestProviderCapsParam", {
    # An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider.
    "neon": "NotRequired[Amount]",
    # An amount in US dollars with up to two decimal places, as a string or a JSON number. The monthly cap for this provider.
    "supabase": "NotRequired[Amount]",
})


PolicyCreateRequestAppliesToParam = TypedDict("PolicyCreateRequestAppliesToParam", {
    "agent_ids": "NotRequired[Sequence[str]]",
    "wallet_ids": "NotRequired[Sequence[str]]",
    "project_ids": "NotRequired[Sequence[str]]",
})


PolicyRuleInputParam = TypedDict("PolicyRuleInputParam", {
    # 1 to 64 letters, digits, underscores and hyphens, unique in the policy. `default`, `threshold`, `project_cap`, `provider_cap` and `max_fee` are reserved.
    "id": "str",
    # `deny` refuses. `limit` refuses what exceeds its `budget` or `count`, and permits nothing. `require_approval` permits what a person approves. `allow` permits.
    "effect": "Literal[\"allow\", \"deny\", \"limit\", \"require_approval\"]",
    # The operation that the rule is about. Default: `*`, every operation.
    "operation": "NotRequired[Literal[\"payment\", \"x402\", \"mpp\", \"contract_call\", \"service.add\", \"service.upgrade\", \"env.pull\", \"on_ramp\", \"off_ramp\", \"wallet.create\", \"*\"]]",
    "when": "NotRequired[PolicyConditionsInputParam]",
    "budget": "NotRequired[PolicyBudgetInputParam]",
    "count": "NotRequired[PolicyCountParam]",
    # If `true`, the limit counts all agents of the policy together. Default: `false`, each agent for itself. Only for limits.
    "shared": "NotRequired[bool]",
})


PolicyConditionsInputParam = TypedDict("PolicyConditionsInputParam", {
    # The amount in US dollars.
    "amount_usd": "NotRequired[AmountConditionInputParam]",
    # The monthly price of a service in US dollars.
    "monthly_cost_usd": "NotRequired[AmountConditionInputParam]",
    "payee": "NotRequired[PayeeConditionParam]",
    # The network of a payment.
    "network": "NotRequired[TextConditionParam]",
    # The token of a payment.
    "token": "NotRequired[TextConditionParam]",
    # The provider of a service.
    "provider": "NotRequired[TextConditionParam]",
    # The service's id in the catalog.
    "service": "NotRequired[TextConditionParam]",
    # The service's category in the catalog.
    "category": "NotRequired[TextConditionParam]",
    # The plan of a service.
    "plan": "NotRequired[TextConditionParam]",
    "kya_level": "NotRequired[KyaLevelConditionParam]",
    # `true` if the payee has never been paid before.
    "payee_first_seen": "NotRequired[bool]",
    "time_utc": "NotRequired[TimeConditionParam]",
})


AmountConditionInputParam = TypedDict("AmountConditionInputParam", {
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "gt": "NotRequired[Amount]",
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "gte": "NotRequired[Amount]",
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "lt": "NotRequired[Amount]",
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "lte": "NotRequired[Amount]",
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "eq": "NotRequired[Amount]",
})


PayeeConditionParam = TypedDict("PayeeConditionParam", {
    # Text without line breaks, tabs or other control characters.
    "eq": "NotRequired[str]",
    "in": "NotRequired[Sequence[str]]",
    "not_in": "NotRequired[Sequence[str]]",
})


TextConditionParam = TypedDict("TextConditionParam", {
    # Text without line breaks, tabs or other control characters.
    "eq": "NotRequired[str]",
    "in": "NotRequired[Sequence[str]]",
    "not_in": "NotRequired[Sequence[str]]",
})


KyaLevelConditionParam = TypedDict("KyaLevelConditionParam", {
    "eq": "NotRequired[Literal[\"none\", \"basic\", \"verified\", \"attested\"]]",
    "in": "NotRequired[Sequence[Literal[\"none\", \"basic\", \"verified\", \"attested\"]]]",
    "not_in": "NotRequired[Sequence[Literal[\"none\", \"basic\", \"verified\", \"attested\"]]]",
})


TimeConditionParam = TypedDict("TimeConditionParam", {
    # `HH:MM-HH:MM`, two times of the day in UTC. The first minute is inside, the last is not. If the first time is later than the second, the range contains midnight.
    "inside": "NotRequired[str]",
    # `HH:MM-HH:MM`, two times of the day in UTC. The first minute is inside, the last is not. If the first time is later than the second, the range contains midnight.
    "outside": "NotRequired[str]",
})


PolicyBudgetInputParam = TypedDict("PolicyBudgetInputParam", {
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "max": "Amount",
    "currency": "NotRequired[Literal[\"usd\"]]",
    "period": "Literal[\"per_tx\", \"calendar_day\", \"calendar_month\", \"rolling_1h\", \"rolling_24h\", \"rolling_7d\", \"rolling_30d\"]",
})


PolicyCountParam = TypedDict("PolicyCountParam", {
    "max": "int",
    "period": "Literal[\"calendar_day\", \"calendar_month\", \"rolling_1h\", \"rolling_24h\", \"rolling_7d\", \"rolling_30d\"]",
})


PolicyApprovalsInputParam = TypedDict("PolicyApprovalsInputParam", {
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "threshold_usd": "NotRequired[Amount]",
    # Who can approve. Default: `["role:owner"]`, the account's owner.
    "approvers": "NotRequired[Sequence[Literal[\"role:owner\"]]]",
    # How many people have to approve. Default: 1.
    "required": "NotRequired[int]",
    # After this time an approval expires. Default: 600.
    "expires_in_seconds": "NotRequired[int]",
})


PolicyUpdateRequestAppliesToParam = TypedDict("PolicyUpdateRequestAppliesToParam", {
    "agent_ids": "NotRequired[Sequence[str]]",
    "wallet_ids": "NotRequired[Sequence[str]]",
    "project_ids": "NotRequired[Sequence[str]]",
})


PolicyUpdateRequestApprovalsParam = TypedDict("PolicyUpdateRequestApprovalsParam", {
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "threshold_usd": "NotRequired[Amount]",
    # Who can approve. Default: `["role:owner"]`, the account's owner.
    "approvers": "NotRequired[Sequence[Literal[\"role:owner\"]]]",
    # How many people have to approve. Default: 1.
    "required": "NotRequired[int]",
    # After this time an approval expires. Default: 600.
    "expires_in_seconds": "NotRequired[int]",
})


PolicyEvaluateRequestPolicyParam = TypedDict("PolicyEvaluateRequestPolicyParam", {
    # Up to 200 rules with up to 1,000 list elements in total.
    "rules": "Sequence[PolicyRuleInputParam]",
    "approvals": "NotRequired[PolicyApprovalsInputParam]",
})


PolicyFactsParam = TypedDict("PolicyFactsParam", {
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "amount_usd": "NotRequired[Amount]",
    # Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.
    "monthly_cost_usd": "NotRequired[Amount]",
    # Text without line breaks, tabs or other control characters.
    "payee": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "network": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "token": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "provider": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "service": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "category": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "plan": "NotRequired[str]",
    "kya_level": "NotRequired[Literal[\"none\", \"basic\", \"verified\", \"attested\"]]",
    "payee_first_seen": "NotRequired[bool]",
    # The time of the day in UTC, `HH:MM`. Default: the current time.
    "time_utc": "NotRequired[str]",
})


AgentCreateRequestSoftwareParam = TypedDict("AgentCreateRequestSoftwareParam", {
    # Text without line breaks, tabs or other control characters.
    "name": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "version": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "model": "NotRequired[str]",
})


AgentUpdateRequestSoftwareParam = TypedDict("AgentUpdateRequestSoftwareParam", {
    # Text without line breaks, tabs or other control characters.
    "name": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "version": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "model": "NotRequired[str]",
})


PaymentSendRequestToParam = TypedDict("PaymentSendRequestToParam", {
    "type": "Literal[\"address\", \"agent\", \"wallet\", \"x402_url\", \"merchant\"]",
    # Text without NUL characters.
    "value": "str",
})


VerifyAccountRequestAccountHolderParam = TypedDict("VerifyAccountRequestAccountHolderParam", {
    # Default: that of link-account.
    "type": "NotRequired[Literal[\"individual\", \"business\"]]",
    # Must be the name of the account's owner at the bank.
    "legal_name": "NotRequired[str]",
    # An email address. Stored in lowercase, with an international domain as Punycode.
    "email": "NotRequired[str]",
    # A phone number in E.164.
    "phone": "NotRequired[str]",
    "address": "NotRequired[VerifyAccountRequestAccountHolderAddressParam]",
})


VerifyAccountRequestAccountHolderAddressParam = TypedDict("VerifyAccountRequestAccountHolderAddressParam", {
    # Text without line breaks, tabs or other control characters.
    "line1": "str",
    # Text without line breaks, tabs or other control characters.
    "line2": "NotRequired[str]",
    # Text without line breaks, tabs or other control characters.
    "city": "str",
    # The code of a state, such as `CA`.
    "state": "str",
    # Text without line breaks, tabs or other control characters.
    "postal_code": "str",
    # A two-letter country code in capital letters (ISO 3166-1 alpha-2).
    "country": "str",
})


EventTypePattern = Literal["*", "developer.*", "api_key.*", "provider_key.*", "audit.*", "project.*", "link.*", "service.*", "env.*", "payment_method.*", "charge.*", "agent.*", "policy.*", "approval.*", "wallet.*", "payment.*", "conversion.*", "fiat_account.*", "kill_switch.*", "webhook.*", "developer.email_verified", "developer.kyb_updated", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.grace_ending", "api_key.auth_failures_spike", "provider_key.saved", "provider_key.deleted", "provider_key.verification_failed", "provider_key.expiring", "audit.anchor_mismatch", "project.created", "project.updated", "project.deleted", "project.cap_threshold_reached", "project.cap_exceeded_blocked", "link.completed", "link.failed", "link.expired", "link.revoked", "service.provisioning", "service.active", "service.failed", "service.plan_changed", "service.plan_change_scheduled", "service.plan_change_canceled", "service.plan_change_failed", "service.rotated", "service.rotation_pending", "service.removed", "service.resource_missing", "service.resource_found", "env.pulled", "env.changed", "payment_method.attached", "payment_method.requires_action", "charge.succeeded", "charge.failed", "charge.refunded", "agent.created", "agent.updated", "agent.suspended", "agent.resumed", "agent.revoked", "agent.expired", "agent.kya_changed", "policy.created", "policy.updated", "policy.rolled_back", "approval.requested", "approval.approved", "approval.denied", "approval.expired", "approval.canceled", "wallet.created", "wallet.updated", "wallet.deployed", "wallet.deployment_failed", "wallet.frozen", "wallet.freeze_onchain_pending", "wallet.freeze_onchain_confirmed", "wallet.freeze_onchain_failed", "wallet.freeze_onchain_lifted", "wallet.unfrozen", "wallet.deposit_received", "payment.requires_approval", "payment.queued", "payment.submitted", "payment.confirmed", "payment.authorized", "payment.captured", "payment.voided", "payment.denied", "payment.expired", "payment.canceled", "payment.failed", "payment.dropped", "payment.refunded", "payment.capture_refused", "payment.void_refused", "payment.refund_refused", "conversion.quoted", "conversion.awaiting_funds", "conversion.in_review", "conversion.funds_received", "conversion.payment_submitted", "conversion.completed", "conversion.undeliverable", "conversion.returned", "conversion.missing_return_policy", "conversion.refund_in_flight", "conversion.refunded", "conversion.refund_failed", "conversion.canceled", "conversion.expired", "conversion.failed", "fiat_account.verified", "fiat_account.relink_required", "fiat_account.disabled", "kill_switch.triggered", "kill_switch.reconciled", "kill_switch.completed", "kill_switch.blocked_pending", "webhook.disabled"]
