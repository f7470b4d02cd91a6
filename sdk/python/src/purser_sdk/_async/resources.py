# Generated from openapi/openapi.json by `npm run generate`. Do not edit.
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .._call import NOT_GIVEN, NotGiven, RequestOptions, given, path_segment
from ..models import *
from . import parts
from .pages import AsyncPages
from .resource import AsyncResource


class AsyncRootResource(AsyncResource):
    def _create(self) -> None:
        self.developers = AsyncDevelopersResource(*self._parts)
        self.projects = AsyncProjectsResource(*self._parts)
        self.operations = AsyncOperationsResource(*self._parts)
        self.audit = AsyncAuditResource(*self._parts)
        self.invoices = AsyncInvoicesResource(*self._parts)
        self.policies = AsyncPoliciesResource(*self._parts)
        self.agents = AsyncAgentsResource(*self._parts)
        self.wallets = AsyncWalletsResource(*self._parts)
        self.payments = AsyncPaymentsResource(*self._parts)
        self.fiat = AsyncFiatResource(*self._parts)
        self.approvals = AsyncApprovalsResource(*self._parts)
        self.kill_switch = AsyncKillSwitchResource(*self._parts)
        self.events = AsyncEventsResource(*self._parts)
        self.webhooks = AsyncWebhooksResource(*self._parts)
        self.admin = AsyncAdminResource(*self._parts)

    async def time(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> ServerTime:
        """Get the server's time.

        Returns the server's time, which the timestamps of signed requests are compared with. Use it to correct an inaccurate client clock.
        """
        return await self._call("GET", f"/time", "public", ServerTime, options)

    async def limits(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> LimitList:
        """Get rate limits.

        Returns the token bucket of the calling API key. This call uses one token. `data` is empty for dashboard sessions, which have no bucket.
        """
        return await self._call("GET", f"/limits", "tenant", LimitList, options)


class AsyncDevelopersResource(AsyncResource):
    def _create(self) -> None:
        self.kyb = AsyncDevelopersKybResource(*self._parts)
        self.emailed_tokens = AsyncDevelopersEmailedTokensResource(*self._parts)
        self.keys = AsyncDevelopersKeysResource(*self._parts)
        self.devices = AsyncDevelopersDevicesResource(*self._parts)
        self.identities = AsyncDevelopersIdentitiesResource(*self._parts)
        self.sessions = AsyncDevelopersSessionsResource(*self._parts)
        self.second_factor = AsyncDevelopersSecondFactorResource(*self._parts)
        self.provider_keys = AsyncDevelopersProviderKeysResource(*self._parts)

    async def get_dashboard_profile(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Developer:
        """Get the dashboard profile.

        Returns the profile of the logged-in developer. The email address does not have to be verified.
        """
        return await self._call("GET", f"/developers/dashboard/me", "dashboard", Developer, options)

    async def update_dashboard_profile(
        self,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        company_name: str | None | NotGiven = NOT_GIVEN,
        website: str | None | NotGiven = NOT_GIVEN,
        country: str | None | NotGiven = NOT_GIVEN,
        timezone: str | None | NotGiven = NOT_GIVEN,
        billing_email: str | None | NotGiven = NOT_GIVEN,
        notification_preferences: UpdateDashboardProfileRequestNotificationPreferencesParam | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Developer:
        """Update the dashboard profile.

        Updates the profile of the logged-in developer. Absent fields are unchanged. `null` clears a field. `notification_preferences` is merged with the current preferences.

        Args:
            name: Text without line breaks, tabs or other control characters.
            company_name: Text without line breaks, tabs or other control characters.
            website: The developer's website: an http or https URL without a user name or password.
            country: A two-letter country code in capital letters (ISO 3166-1 alpha-2).
            timezone: A time zone from the IANA database. `null` means `UTC`.
            billing_email: An email address. Stored in lowercase, with an international domain as Punycode.
            notification_preferences: The preferences to change, merged with the current ones. `null` clears all preferences. Emails about approvals are sent unless `approvals` is false, and emails that protect the account in any case. No emails are sent about spending caps and product news yet.
        """
        return await self._call("PUT", f"/developers/dashboard/me", "dashboard", Developer, options, body=given({}, {"name": name, "company_name": company_name, "website": website, "country": country, "timezone": timezone, "billing_email": billing_email, "notification_preferences": notification_preferences}))

    async def get_dashboard_overview(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> DashboardOverview:
        """Get the dashboard overview.

        Returns what the first page of a dashboard shows, as it was at one moment: this month's spending, balances, the newest payments, what needs a person now, and which first steps are done. Requires `X-Svc-Mode`. The email address does not have to be verified.
        """
        return await self._call("GET", f"/developers/dashboard/overview", "dashboard", DashboardOverview, options)

    async def me(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Developer:
        """Get the developer's profile.

        Returns the profile of the developer who owns the API key or dashboard session. Requires no scope.
        """
        return await self._call("GET", f"/developers/me", "tenant", Developer, options)

    async def register(
        self,
        *,
        company_name: str | None = None,
        key_name: str | None = None,
        mode: Literal["live", "test"] | None = None,
        signature_alg: Literal["hmac-sha256", "ed25519"] | None = None,
        public_key: str | None = None,
        proof: str | None = None,
        options: RequestOptions | None = None,
    ) -> RegisteredDeveloper:
        """Register for the API.

        Registers the logged-in developer for the API and creates the account's first key pair. The key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. Fails with `email_not_verified` if the email address is not verified, and with `already_exists` if the developer is already registered.

        Args:
            company_name: The company's name, on one line. Default: the `company_name` in the developer's profile.
            key_name: The name of the account's first API key, on one line. Default: the text `default`.
            mode: The mode of the account's first API key. Default: `live`.
            signature_alg: The signature algorithm for requests. Default: `hmac-sha256`.
            public_key: The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key.
            proof: An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<developer_id>\\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`.
        """
        return await self._call("POST", f"/developers/register", "dashboard", RegisteredDeveloper, options, body=given({"company_name": company_name, "key_name": key_name, "mode": mode, "signature_alg": signature_alg, "public_key": public_key, "proof": proof}, {}))

    async def sign_up(
        self,
        *,
        email: str,
        password: str,
        captcha_token: str,
        name: str | None = None,
        company_name: str | None = None,
        country: str | None = None,
        accept_terms_version: str | None = None,
        options: RequestOptions | None = None,
    ) -> Signup:
        """Sign up.

        Creates an account and sends an email with a URL that verifies the email address. If a verified account already has this address, the response is the same, and the email states that the account exists. Fails with `validation_error` for a common password, and with `rate_limited` after 20 signups per hour from one network.

        Args:
            email: An email address. Stored in lowercase, with an international domain as Punycode.
            password: 12 to 128 characters after Unicode NFC normalization. NUL is not allowed.
            captcha_token: The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned.
            name: The developer's name, on one line.
            company_name: The company's name, on one line.
            country: A two-letter country code in capital letters (ISO 3166-1 alpha-2).
            accept_terms_version: The version of Purser's terms of service that the developer accepts. It is recorded in the audit trail.
        """
        return await self._call("POST", f"/developers/signup", "public", Signup, options, body=given({"email": email, "password": password, "captcha_token": captcha_token, "name": name, "company_name": company_name, "country": country, "accept_terms_version": accept_terms_version}, {}))

    async def captcha(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Captcha:
        """Get a captcha challenge.

        Returns an ALTCHA version 2 challenge, which can be used once within ten minutes. To use it, solve it and send the Base64 encoding of a JSON object with the fields `challenge` and `solution` as `captcha_token`. If the server uses Turnstile, returns the configuration for its widget instead: `kind`, `site_key` and `action`. In this case, send the token that the widget returns as `captcha_token`.
        """
        return await self._call("GET", f"/developers/captcha", "public", Captcha, options)

    async def login_options(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> LoginOptions:
        """Get the ways to log in.

        Returns the configured identity providers and the captcha, for a page to log in or sign up.
        """
        return await self._call("GET", f"/developers/login-options", "public", LoginOptions, options)

    async def resend_verification(
        self,
        *,
        email: str,
        captcha_token: str | None = None,
        options: RequestOptions | None = None,
    ) -> ResentVerification:
        """Resend the verification email.

        Sends another verification email if the email address is not verified yet. The response is the same for every address. The URLs in earlier emails remain valid. At most three emails per hour are sent to one address. Fails with `rate_limited` after three calls per minute from one network.

        Args:
            email: An email address. Stored in lowercase, with an international domain as Punycode.
            captcha_token: Ignored. This call does not require a captcha.
        """
        return await self._call("POST", f"/developers/resend-verification", "public", ResentVerification, options, body=given({"email": email, "captcha_token": captcha_token}, {}))

    async def verify_email(
        self,
        *,
        token: str,
        options: RequestOptions | None = None,
    ) -> VerifiedEmail:
        """Verify an email address.

        Verifies an email address with the token from the verification email. Changes nothing for a browser (`Accept: text/html`), because email scanners open URLs too: it is redirected with 303 to the login page, where a button verifies the address. The token is valid for 24 hours and can be used once. Fails with `invalid_token` if the token is unknown, used or expired. If there are several signups for the address, the account gets the password and profile of the signup that the token belongs to. Verifying the address ends the account's sessions. Sets a cookie for 15 minutes. A password login from the same browser during this time confirms ownership of the account: a later password reset then keeps the account's API keys and second factor (see `POST /developers/password/reset`).

        Args:
            token: The token from the verification email.
        """
        return await self._call("GET", f"/developers/verify-email", "public", VerifiedEmail, options, query=given({"token": token}, {}))

    async def confirm_email(
        self,
        *,
        token: str,
        options: RequestOptions | None = None,
    ) -> VerifiedEmail:
        """Confirm an email address.

        Verifies an email address with the token from the verification email. The button of the login page calls it; browsers (`Accept: text/html`) are redirected back to that page with 303. The token is valid for 24 hours and can be used once. Fails with `invalid_token` if the token is unknown, used or expired. If there are several signups for the address, the account gets the password and profile of the signup that the token belongs to. Verifying the address ends the account's sessions. Sets a cookie for 15 minutes. A password login from the same browser during this time confirms ownership of the account: a later password reset then keeps the account's API keys and second factor (see `POST /developers/password/reset`).

        Args:
            token: The token from the verification email.
        """
        return await self._call("POST", f"/developers/verify-email", "public", VerifiedEmail, options, body=given({"token": token}, {}))

    async def forgot_password(
        self,
        *,
        email: str,
        captcha_token: str | None = None,
        options: RequestOptions | None = None,
    ) -> RequestedPasswordReset:
        """Request a password reset.

        Sends an email with a URL to choose a new password, if the email address has an account. The response is the same for every address. At most three emails per hour are sent to one address. Fails with `rate_limited` after five calls per minute from one network.

        Args:
            email: An email address. Stored in lowercase, with an international domain as Punycode.
            captcha_token: Ignored. This call does not require a captcha.
        """
        return await self._call("POST", f"/developers/password/forgot", "public", RequestedPasswordReset, options, body=given({"email": email, "captcha_token": captcha_token}, {}))

    async def reset_password(
        self,
        *,
        token: str,
        password: str,
        keep_keys: bool | None = None,
        revoke_keys: bool | None = None,
        options: RequestOptions | None = None,
    ) -> PasswordReset:
        """Reset the password.

        Sets a new password with the token from the password reset email, ends all sessions and clears the cookies of the browser's session. Ownership of an account is confirmed once the same person has controlled both the mailbox and the login: by a password reset, by a login with an identity provider that has verified the email address, or by a password login from the browser that opened the verification URL. An account with confirmed ownership keeps its API keys (unless `revoke_keys` is true) and its second factor. For any other account, everything set up earlier is removed: API keys (unless `keep_keys` is true), second factor, linked identities, pending device logins and profile. The reset confirms ownership and verifies the email address. Fails with `invalid_token` for an invalid token, and with `validation_error` if both `keep_keys` and `revoke_keys` are true.

        Args:
            token: The token from the password reset email. Valid once, for one hour.
            password: 12 to 128 characters after Unicode NFC normalization. NUL is not allowed.
            keep_keys: Whether to keep the API keys of an account whose ownership was never confirmed (see `POST /developers/password/reset`). Default: false, which revokes the keys.
            revoke_keys: Whether to revoke the API keys of an account whose ownership was confirmed before this call. Default: false, which keeps the keys.
        """
        return await self._call("POST", f"/developers/password/reset", "public", PasswordReset, options, body=given({"token": token, "password": password, "keep_keys": keep_keys, "revoke_keys": revoke_keys}, {}))

    async def log_in_with_second_factor(
        self,
        *,
        mfa_token: str | None = None,
        code: str,
        options: RequestOptions | None = None,
    ) -> Session:
        """Complete a two-factor login.

        Completes a login that returned `mfa_required`, with a code from the authenticator app or a recovery code. `mfa_token` is valid for five minutes and five attempts. Each code works once. Each account is limited to 20 TOTP codes per hour; recovery codes do not count. Every failure returns `authentication_failed`, except `cross_origin` if another site sent the cookie.

        Args:
            mfa_token: The `mfa_token` returned by the login. Default: the token in the cookie that a browser's login with an identity provider sets.
            code: The six-digit code from the authenticator app, or a recovery code.
        """
        return await self._call("POST", f"/developers/login/totp", "public", Session, options, body=given({"mfa_token": mfa_token, "code": code}, {}))

    async def log_in(
        self,
        *,
        email: str,
        password: str,
        captcha_token: str | None = None,
        totp_code: str | None = None,
        verify_token: str | None = None,
        options: RequestOptions | None = None,
    ) -> Session | MfaRequired:
        """Log in with a password.

        Logs in with an email address and a password. Returns the tokens in the body and sets them as HttpOnly cookies for browsers. For an account with a second factor, send `totp_code`. If such a login has no `totp_code`, the response is `mfa_required` with an `mfa_token` for `POST /developers/login/totp`. Fails with `authentication_failed` for a wrong email address, password or code.

        Args:
            email: An email address. Stored in lowercase, with an international domain as Punycode.
            password: 12 to 128 characters after Unicode NFC normalization. NUL is not allowed.
            captcha_token: The solution to a challenge from `GET /developers/captcha`, or the token that the captcha widget returned. Required after five failed logins for this email address from one network within 15 minutes.
            totp_code: The six-digit code from the authenticator app. Ignored for accounts without a second factor.
            verify_token: The token from the verification email, to verify the address and log in with one call. Fails with `invalid_token` if the token is invalid, or belongs to a signup with a different password, unless the address is verified already.
        """
        return await self._call("POST", f"/developers/login", "public", Session | MfaRequired, options, body=given({"email": email, "password": password, "captcha_token": captcha_token, "totp_code": totp_code, "verify_token": verify_token}, {}))

    async def log_out(
        self,
        *,
        refresh_token: str | None = None,
        all_sessions: bool | None = None,
        options: RequestOptions | None = None,
    ) -> None:
        """Log out.

        Ends the session that the refresh token belongs to and clears the cookies. The response is the same for valid, used and unknown tokens.

        Args:
            refresh_token: The refresh token. Default: the token in the cookie.
            all_sessions: Whether to end all of the developer's sessions. Default: false.
        """
        return await self._call("POST", f"/developers/logout", "public", None, options, body=given({"refresh_token": refresh_token, "all_sessions": all_sessions}, {}))

    async def refresh(
        self,
        *,
        refresh_token: str | None = None,
        options: RequestOptions | None = None,
    ) -> Session:
        """Refresh a session.

        Returns a new access token and a new refresh token. Each refresh token can be used once. If the same token is used again within 20 seconds and the new tokens were not used, the call returns other new tokens and revokes the first ones; otherwise it fails. A use more than 20 seconds after the first also ends the session. Fails with `authentication_failed` for any invalid token, and with `cross_origin` if another site sent the cookie.

        Args:
            refresh_token: The refresh token. Default: the token in the cookie.
        """
        return await self._call("POST", f"/developers/token/refresh", "public", Session, options, body=given({"refresh_token": refresh_token}, {}))


class AsyncDevelopersKybResource(AsyncResource):
    async def submit(
        self,
        *,
        legal_name: str,
        registration_number: str,
        jurisdiction: str,
        options: RequestOptions | None = None,
    ) -> KybCase:
        """Send the data of your business.

        Begins the verification of your business (KYB), which live money needs. Sets `status` to `pending` until an admin decides. While it is pending, the call replaces the data; after `rejected`, `revoked` or `expired` it begins again. Fails with `conflict` if the business is verified.

        Args:
            legal_name: The business's registered name, on one line.
            registration_number: The business's registration number, on one line.
            jurisdiction: Where the business is registered: a two-letter country code in capital letters (ISO 3166-1 alpha-2).
        """
        return await self._call("POST", f"/developers/dashboard/kyb", "dashboard", KybCase, options, body=given({"legal_name": legal_name, "registration_number": registration_number, "jurisdiction": jurisdiction}, {}))

    async def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> KybCase:
        """Get the verification of your business.

        Returns your KYB case. Its status is `none` until you send the data of your business.
        """
        return await self._call("GET", f"/developers/dashboard/kyb", "dashboard", KybCase, options)


class AsyncDevelopersEmailedTokensResource(AsyncResource):
    async def read(
        self,
        *,
        token: str,
        purpose: Literal["verify_email", "reset_password", "revoke_keys"],
        options: RequestOptions | None = None,
    ) -> EmailedToken:
        """Read an emailed token.

        Returns what a token from an email is for, without using it. It is a POST so that the token is in no URL. Fails with `invalid_token` if the token is unknown, used or expired, or has another purpose. A `verify_email` token of an address that is verified already can still be read.

        Args:
            token: The token in the URL of the email.
            purpose: What the email is for: `verify_email` after a signup, `reset_password` after a request to reset the password, `revoke_keys` after a login with an identity provider.
        """
        return await self._call("POST", f"/developers/emailed-tokens", "public", EmailedToken, options, body=given({"token": token, "purpose": purpose}, {}))

    async def revoke_keys(
        self,
        *,
        token: str,
        options: RequestOptions | None = None,
    ) -> RevokedKeys:
        """Revoke keys with an emailed token.

        Revokes all API keys of the account with the token from the email that lists them. The token is valid once, for 7 days. Fails with `invalid_token` for an invalid token.

        Args:
            token: The token in the URL of the email.
        """
        return await self._call("POST", f"/developers/emailed-tokens/revoke-keys", "public", RevokedKeys, options, body=given({"token": token}, {}))


class AsyncDevelopersKeysResource(AsyncResource):
    def auth_failures(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[AuthFailure, AuthFailureList]:
        """List rejected requests.

        Returns the reasons why requests with the developer's keys, and requests with a dashboard token but without `X-Svc-Mode`, were rejected with 401, newest first. The 401 response itself never states the reason. Requests with the same key, reason and network within one minute are grouped into one item. Test keys can list failures of test keys only; live keys and dashboard sessions can list failures in both modes. Items are stored for 30 days. Requires the scope `keys:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/developers/me/auth-failures", "tenant", AuthFailureList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    def requests(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        key_id: str | None = None,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None = None,
        status: str | None = None,
        path: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[LoggedRequest, LoggedRequestList]:
        """List requests.

        Returns the requests that were authenticated with the developer's keys, newest first, also those that failed after that. The log has no bodies, queries or values of paths. It has the newest 10,000 requests of each key from the last 30 days, of which a call without `key_id` searches the account's newest 100,000, and is written about a second after each response; under load, requests can be missing. Test keys can list requests of test keys only; live keys and dashboard sessions can list requests in both modes. Requires the scope `keys:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            key_id: Only requests with this API key.
            status: Only responses with this status, for example `422`, or of this class, for example `4xx`.
            path: Only requests to this endpoint, for example `/api/v1/svc/projects/{project_id}/env`.
        """
        return self._pages(f"/developers/me/requests", "tenant", LoggedRequestList, options, query=given({"cursor": cursor, "limit": limit, "key_id": key_id, "method": method, "status": status, "path": path}, {}))

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[ApiKey, ApiKeyList]:
        """List API keys.

        Returns the developer's keys, newest first. The first page contains all keys that are not revoked and up to `limit` revoked keys; the following pages contain only revoked keys. Live keys and dashboard sessions can list keys of both modes. Test keys can list only test keys. Requires the scope `keys:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/developers/me/keys", "tenant", ApiKeyList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def issue(
        self,
        *,
        name: str,
        signature_alg: Literal["hmac-sha256", "ed25519"] | None = None,
        public_key: str | None = None,
        proof: str | None = None,
        scopes: Sequence[Literal["projects:read", "projects:write", "services:write", "env:read", "wallets:read", "wallets:write", "wallets:freeze", "payments:read", "payments:write", "fiat:read", "fiat:write", "agents:read", "agents:write", "policies:read", "policies:write", "approvals:read", "approvals:write", "keys:read", "keys:write", "provider_keys:read", "provider_keys:write", "audit:read", "webhooks:read", "webhooks:write", "events:read", "kill_switch:write"]] | None = None,
        project_ids: Sequence[str] | None = None,
        ip_allowlist: Sequence[str] | None = None,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        rate_limit_per_minute: int | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, str] | None = None,
        mode: Literal["live", "test"] | None = None,
        agent_ids: Sequence[str] | None = None,
        options: RequestOptions | None = None,
    ) -> IssuedApiKey:
        """Create an API key.

        Creates a key pair. By default, the new key has the restrictions of the calling key and most of its scopes (see `scopes`). For a dashboard session, the defaults are those of a key with all scopes and no restrictions. Fails with `insufficient_scope` if the new key would have more permissions than the caller. The key and its secret are returned only in this response. If you lose the response, a retry with the same `Idempotency-Key` fails with `secret_already_issued`: revoke the key and create another. Fails with `conflict` if the account already has 100 active keys. Requires the scope `keys:write`.

        Args:
            name: A name for the key: up to 100 characters on one line.
            signature_alg: The signature algorithm for requests. Default: `hmac-sha256`.
            public_key: The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key.
            proof: An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<developer_id>\\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`.
            scopes: The scopes of the key. Default: the caller's scopes except `approvals:write`. If the new key is a test key, the default does not include `audit:read` either.
            project_ids: Ids of the projects that the key is bound to. The projects must have the same mode as the key. Default: the `project_ids` of the calling key.
            ip_allowlist: Networks that requests must come from, as IPv4 or IPv6 CIDR blocks. Default: the `ip_allowlist` of the calling key.
            expires_at: When the key expires. Must be in the future. Send `null` for a key that never expires. Default: the `expires_at` of the calling key.
            rate_limit_per_minute: Maximum requests per minute. Send `null` for the standard limit for API keys. Default: the `rate_limit_per_minute` of the calling key.
            metadata: Up to 50 key-value pairs that you choose.
            mode: The mode of the key. Default: the caller's mode. Test keys can only create test keys.
            agent_ids: UUIDs of the agents that the key is bound to. Default: the `agent_ids` of the calling key.
        """
        return await self._call("POST", f"/developers/me/keys", "tenant", IssuedApiKey, options, body=given({"name": name, "signature_alg": signature_alg, "public_key": public_key, "proof": proof, "scopes": scopes, "project_ids": project_ids, "ip_allowlist": ip_allowlist, "metadata": metadata, "mode": mode, "agent_ids": agent_ids}, {"expires_at": expires_at, "rate_limit_per_minute": rate_limit_per_minute}))

    async def revoke(
        self,
        key_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> RevokedApiKey:
        """Revoke an API key.

        Revokes the key, which stops working immediately. If the key replaced another key that is still in its grace period, that key is revoked too. Revoking a revoked key changes nothing. `warnings` contains `last_live_key` if no live key is left. Fails with `api_key_not_found` for an unknown key. Requires the scope `keys:write`.
        """
        return await self._call("DELETE", f"/developers/me/keys/{path_segment(key_id)}", "tenant", RevokedApiKey, options)

    async def rotate(
        self,
        key_id: str,
        *,
        grace_period_seconds: int | None = None,
        reason: Literal["scheduled", "compromised", "personnel"] | None = None,
        public_key: str | None = None,
        proof: str | None = None,
        options: RequestOptions | None = None,
    ) -> RotatedApiKey:
        """Rotate an API key.

        Replaces a key with a new one that has the same permissions. The new key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. The old key works until its grace period ends. If the old key had itself replaced another key, that key stops working immediately. An Ed25519 key keeps its public key unless you send a new one, which is required if `reason` is `compromised`. Fails with `conflict` if the key is not active or was already replaced, and with `insufficient_scope` if the key has more permissions than the caller. Requires the scope `keys:write`.

        Args:
            grace_period_seconds: How long the old key continues to work, in seconds: 0 to 604,800. Default: 86,400.
            reason: Why the key is being replaced. A `compromised` key stops working immediately. Default: `scheduled`.
            public_key: The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key.
            proof: An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<developer_id>\\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`.
        """
        return await self._call("POST", f"/developers/me/keys/{path_segment(key_id)}/rotate", "tenant", RotatedApiKey, options, body=given({"grace_period_seconds": grace_period_seconds, "reason": reason, "public_key": public_key, "proof": proof}, {}))

    async def rotate_account_pair(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> RotatedAccountPair:
        """Rotate the account's key pair.

        Replaces the account's own key pair in the mode of `X-Svc-Mode` (default: `live`). This is the pair that `POST /developers/register` creates. If the account has no such pair in this mode, creates one. The old pair stops working immediately. Other keys are unchanged. The new pair always has a secret, even if it replaces an Ed25519 key. The key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`.
        """
        return await self._call("POST", f"/developers/rotate-key", "dashboard", RotatedAccountPair, options)

    async def test_signature(
        self,
        key_id: str,
        *,
        method: str,
        path: str,
        timestamp: str,
        nonce: str | None = None,
        body: str | None = None,
        agent_id: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> TestSignature:
        """Test a request's signature.

        Returns the canonical string of a request, which is the text that its signature must cover. Use it to find out why a signature is rejected. Available for test keys only; fails with `api_key_not_found` for other keys. Never returns a signature or a secret. Requires the scope `keys:read`.

        Args:
            method: The HTTP method of the request to sign.
            path: The full path with its query string, in printable ASCII.
            timestamp: Unix time in seconds, as in `X-Timestamp`.
            nonce: 16 to 128 printable ASCII characters, as in `X-Nonce`. Required for an Ed25519 key.
            body: The request body as text. Default: empty.
            agent_id: The value of the `X-Agent-ID` header. Only signatures with Ed25519 keys cover it.
            idempotency_key: The value of the `Idempotency-Key` header. Only signatures with Ed25519 keys cover it.
        """
        return await self._call("POST", f"/developers/me/keys/{path_segment(key_id)}/test-signature", "tenant", TestSignature, options, body=given({"method": method, "path": path, "timestamp": timestamp, "nonce": nonce, "body": body, "agent_id": agent_id, "idempotency_key": idempotency_key}, {}))


class AsyncDevelopersDevicesResource(AsyncResource):
    async def begin(
        self,
        *,
        client_name: str | None = None,
        client_id: str | None = None,
        scope: str | None = None,
        options: RequestOptions | None = None,
    ) -> DeviceAuthorization:
        """Start a device login.

        Starts a login for a program without a browser (RFC 8628). Show `user_code` and `verification_uri` to the user, then poll `POST /developers/oauth/device/token`. The codes expire after ten minutes. Fails with `rate_limited` after ten calls per minute from one network.

        Args:
            client_name: The name of the device, on one line. The API key of the device gets this name. Default: the first 100 characters of the value of `client_id`, or `A device` if `client_id` is absent.
            client_id: The OAuth client id, on one line. Choose any text: clients are not registered. Used as the device's name if `client_name` is absent.
            scope: The scopes of the device's API key, separated by spaces. Default: all scopes except `approvals:write`. In test mode, the default does not include `audit:read` either.
        """
        return await self._call("POST", f"/developers/oauth/device", "public", DeviceAuthorization, options, body=given({"client_name": client_name, "client_id": client_id, "scope": scope}, {}))

    async def collect(
        self,
        *,
        grant_type: Literal["urn:ietf:params:oauth:grant-type:device_code"] = "urn:ietf:params:oauth:grant-type:device_code",
        device_code: str,
        client_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> DeviceToken:
        """Get a device's key pair.

        Returns the key pair of an approved device. The key pair is returned only once. If it cannot be returned, the response is 400 with an RFC 8628 error code in `code` and `error`. `authorization_pending`: no decision yet. `slow_down`: the device polls too often, and the interval is now five seconds longer. `access_denied`: the device was denied. `expired_token`: the code expired after ten minutes. `invalid_grant`: the code is unknown or already used.

        Args:
            device_code: The `device_code` from `POST /developers/oauth/device`.
            client_id: Ignored. Accepted because OAuth clients send it.
        """
        return await self._call("POST", f"/developers/oauth/device/token", "public", DeviceToken, options, body=given({"grant_type": grant_type, "device_code": device_code, "client_id": client_id}, {}))

    async def get(
        self,
        *,
        user_code: str,
        options: RequestOptions | None = None,
    ) -> PendingDeviceLogin:
        """Get a waiting device.

        Returns the device login that waits with this code, to decide with `POST /developers/oauth/device/approve`. Fails with `validation_error` if `user_code` is unknown, expired, or already approved or denied, and with `rate_limited` after five wrong codes within 15 minutes, counted together with those of that call.

        Args:
            user_code: The code shown on the device, in uppercase or lowercase.
        """
        return await self._call("GET", f"/developers/dashboard/device", "dashboard", PendingDeviceLogin, options, query=given({"user_code": user_code}, {}))

    async def decide(
        self,
        *,
        user_code: str,
        approve: bool | None = None,
        password: str | None = None,
        totp_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> DeviceLogin:
        """Approve or deny a device.

        Approves or denies a device. Approving creates a key pair in the mode of `X-Svc-Mode` (default: `live`), which only the device can fetch. Approving requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `validation_error` if `user_code` is unknown, expired, or already approved or denied, and with `rate_limited` after five wrong codes within 15 minutes.

        Args:
            user_code: The code shown on the device, in uppercase or lowercase.
            approve: Whether to approve (`true`) or deny (`false`) the device. Default: true.
            password: The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`.
            totp_code: The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
        """
        return await self._call("POST", f"/developers/oauth/device/approve", "dashboard", DeviceLogin, options, body=given({"user_code": user_code, "approve": approve, "password": password, "totp_code": totp_code}, {}))


class AsyncDevelopersIdentitiesResource(AsyncResource):
    async def log_in_with_github(
        self,
        *,
        code: str,
        state: str,
        redirect_uri: str | None = None,
        code_verifier: str | None = None,
        options: RequestOptions | None = None,
    ) -> IdentitySession | IdentityMfaRequired:
        """Log in with GitHub.

        Completes a GitHub login with the code from GitHub's redirect. The first login with a GitHub account requires an email address that GitHub has verified. If a Purser account has this address, the GitHub account is linked to it. If none has it, a Purser account is created. If ownership of the existing Purser account was never confirmed (see `POST /developers/password/reset`), its password, sessions, second factor and other linked identities are removed. If, in addition, its email address was not verified, its API keys are revoked. Fails with `invalid_state` if the `state` is unknown, used, expired or belongs to another browser; with `authentication_failed` if GitHub rejects the code or has not verified the email address; with `conflict` if the Purser account is already linked to another GitHub account; and with `provider_unavailable` if GitHub cannot be reached.

        Args:
            code: The value of the `code` parameter in the URL to which GitHub redirected the browser.
            state: The `state` from the response of `POST /developers/oauth/github/state`. Send it together with the cookie from the same response.
            redirect_uri: GitHub's redirect URL, as configured on this server. Optional, because the server knows it. If sent, it must equal the configured URL.
            code_verifier: The PKCE code verifier. Optional, because the server derives it. If sent, it must equal the derived verifier.
        """
        return await self._call("POST", f"/developers/oauth/github", "public", IdentitySession | IdentityMfaRequired, options, body=given({"code": code, "state": state, "redirect_uri": redirect_uri, "code_verifier": code_verifier}, {}))

    async def begin_github_login(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> GitHubAuthorization:
        """Start a GitHub login.

        Returns a `state` and the GitHub URL to open in the browser, and sets a cookie. The `state` is valid once, for ten minutes, and only with the cookie: a program must send the cookie to `POST /developers/oauth/github`. Fails with `rate_limited` after 30 calls per minute from one network, and with `not_found` if GitHub login is not configured.
        """
        return await self._call("POST", f"/developers/oauth/github/state", "public", GitHubAuthorization, options)

    async def log_in_with_google(
        self,
        *,
        id_token: str,
        nonce: str | None = None,
        options: RequestOptions | None = None,
    ) -> IdentitySession | IdentityMfaRequired:
        """Log in with Google.

        Logs in with a Google ID token. Each token can be used once. The first login with a Google account requires an email address that Google has verified. If a Purser account has this address, the Google account is linked to it. If none has it, a Purser account is created. If ownership of the existing Purser account was never confirmed (see `POST /developers/password/reset`), its password, sessions, second factor and other linked identities are removed. If, in addition, its email address was not verified, its API keys are revoked. Fails with `authentication_failed` if the token is invalid or Google has not verified the email address, with `conflict` if the Purser account is already linked to another Google account, with `provider_unavailable` if Google's keys cannot be fetched, and with `not_found` if Google login is not configured.

        Args:
            id_token: A Google ID token (JWT) issued for the client id that is configured on this server.
            nonce: The nonce that was sent to Google with the login request. If set, it must equal the `nonce` claim of the ID token.
        """
        return await self._call("POST", f"/developers/oauth/google", "public", IdentitySession | IdentityMfaRequired, options, body=given({"id_token": id_token, "nonce": nonce}, {}))

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> IdentityList:
        """List linked identities.

        Returns the GitHub and Google accounts with which the developer can log in, ordered by provider.
        """
        return await self._call("GET", f"/developers/dashboard/identities", "dashboard", IdentityList, options)

    async def unlink(
        self,
        provider: str,
        *,
        password: str | None = None,
        totp_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> None:
        """Unlink an identity.

        Unlinks a GitHub or Google account. The developer can no longer log in with it. Requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if it is the developer's only way to log in, and with `identity_not_found` if no account of this provider is linked.

        Args:
            password: The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`.
            totp_code: The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
        """
        return await self._call("DELETE", f"/developers/dashboard/identities/{path_segment(provider)}", "dashboard", None, options, body=given({"password": password, "totp_code": totp_code}, {}))


class AsyncDevelopersSessionsResource(AsyncResource):
    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[DashboardSession, DashboardSessionList]:
        """List sessions.

        Returns the developer's valid dashboard sessions, newest first.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/developers/dashboard/sessions", "dashboard", DashboardSessionList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def end(
        self,
        session_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """End a session.

        Ends a session. Its tokens stop working immediately. The calling session can end itself. Fails with `session_not_found` if the session has already ended.
        """
        return await self._call("DELETE", f"/developers/dashboard/sessions/{path_segment(session_id)}", "dashboard", None, options)


class AsyncDevelopersSecondFactorResource(AsyncResource):
    async def begin(
        self,
        *,
        password: str | None = None,
        totp_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> TotpEnrollment:
        """Start the TOTP setup.

        Creates a secret for an authenticator app and returns it once. Logins do not require a code until the secret is confirmed. A second call replaces an unconfirmed secret. Requires a login within the last 15 minutes, or the field `password`. Without one of these, the call fails with `reauthentication_required`. Fails with `already_exists` if the account has a second factor.

        Args:
            password: The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`.
            totp_code: The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
        """
        return await self._call("POST", f"/developers/dashboard/mfa/totp", "dashboard", TotpEnrollment, options, body=given({"password": password, "totp_code": totp_code}, {}))

    async def confirm(
        self,
        *,
        code: str,
        password: str | None = None,
        totp_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> RecoveryCodes:
        """Enable the second factor.

        Enables the second factor with the first code from the authenticator app. Returns ten recovery codes, which are not shown again. Existing sessions continue. Requires a login within the last 15 minutes, or the field `password`. Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if no secret is waiting for confirmation, and with `validation_error` for a wrong code.

        Args:
            code: The six-digit code from the authenticator app. Spaces and hyphens are ignored.
            password: The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`.
            totp_code: The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
        """
        return await self._call("POST", f"/developers/dashboard/mfa/totp/confirm", "dashboard", RecoveryCodes, options, body=given({"code": code, "password": password, "totp_code": totp_code}, {}))

    async def disable(
        self,
        *,
        code: str,
        options: RequestOptions | None = None,
    ) -> None:
        """Disable the second factor.

        Disables the second factor and deletes its secret and recovery codes. Requires a code from the authenticator app or a recovery code. Fails with `conflict` if the account has no second factor, with `validation_error` for a wrong code, and with `rate_limited` after 20 TOTP codes within one hour.

        Args:
            code: The six-digit code from the authenticator app, or a recovery code.
        """
        return await self._call("POST", f"/developers/dashboard/mfa/totp/disable", "dashboard", None, options, body=given({"code": code}, {}))


class AsyncDevelopersProviderKeysResource(AsyncResource):
    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> ProviderKeysList:
        """List provider keys.

        Returns all five providers with the metadata of the keys that are saved for them in the caller's mode. `configured` is false if no keys are saved for a provider. The keys themselves are never returned. Requires the scope `provider_keys:read`.
        """
        return await self._call("GET", f"/developers/provider-keys", "tenant", ProviderKeysList, options)

    async def save(
        self,
        provider: str,
        *,
        credentials: ProviderKeyRequestCredentialsParam,
        mode: Literal["live", "test"] | None = None,
        label: str | None | NotGiven = NOT_GIVEN,
        verify: Literal["report", "required", "skip"] | None = None,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        expected_version: int | None = None,
        options: RequestOptions | None = None,
    ) -> ProviderKeys:
        """Save provider keys.

        Saves the developer's own keys for a provider, which is a vendor such as `helius`. There is one set of keys per provider and mode. A new set replaces the current one. The keys are encrypted and never returned. With `verify: required`, the call fails with `validation_error` if the vendor rejects the keys and with `provider_unavailable` if the vendor does not respond. Requires the scope `provider_keys:write`.

        Args:
            credentials: The fields depend on the provider. `pimlico`: `api_key`; optional `sponsorship_policy_id`, `chains`. `turnkey`: `organization_id`, `api_public_key`, `api_private_key`; optional `base_url`. `fireblocks`: `api_key`, `api_secret_pem`; optional `vault_account_id`, `base_url`. `bridge`: `api_key`; optional `webhook_public_key`, `environment`. `helius`: `api_key`; optional `rpc_url`. Each value is at most 8 KiB. White space and quotes around a credential, and the indentation of a PEM file, are removed; the characters `\\n` in it become line breaks. URLs must point to the vendor's own hosts.
            mode: The mode of the keys. Must be the caller's mode. Default: the caller's mode.
            label: A name for this set of provider keys, without NUL characters. Default: no name.
            verify: Whether to verify the keys with one read-only call to the vendor. `report`: the keys are saved, and the result is in `verification.status`. `required`: the keys are saved only if the vendor accepts them. `skip`: the vendor is not called. Default: `report`.
            expires_at: When the keys expire at the vendor. The developer receives reminder emails 14 days, 7 days and 1 day before.
            expected_version: The current `version` of the keys, or 0 if no keys are configured. Any other value fails with `version_conflict`. Default: the version is not checked.
        """
        return await self._call("PUT", f"/developers/provider-keys/{path_segment(provider)}", "tenant", ProviderKeys, options, body=given({"credentials": credentials, "mode": mode, "verify": verify, "expected_version": expected_version}, {"label": label, "expires_at": expires_at}))

    async def remove(
        self,
        provider: str,
        *,
        options: RequestOptions | None = None,
    ) -> RemovedProviderKeys:
        """Delete provider keys.

        Deletes the keys saved for a provider in the caller's mode. If no keys are saved, nothing changes and `deleted_at` is null. Requires the scope `provider_keys:write`.
        """
        return await self._call("DELETE", f"/developers/provider-keys/{path_segment(provider)}", "tenant", RemovedProviderKeys, options)

    async def verify_audit(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> AuditVerification:
        """Verify the provider keys audit chain.

        Recomputes the hashes of the `provider_keys` audit chain and compares the chain with its newest checkpoint in external storage (the anchor). All entries recorded before the call are checked. Equivalent to `GET /audit/verify?chain=provider_keys`. Requires the scope `audit:read`.
        """
        return await self._call("GET", f"/developers/provider-keys/audit/verify", "tenant", AuditVerification, options)


class AsyncProjectsResource(AsyncResource):
    def _create(self) -> None:
        self.env = AsyncProjectsEnvResource(*self._parts)
        self.variables = AsyncProjectsVariablesResource(*self._parts)
        self.operations = AsyncProjectsOperationsResource(*self._parts)
        self.billing = AsyncProjectsBillingResource(*self._parts)
        self.links = AsyncProjectsLinksResource(*self._parts)
        self.services = AsyncProjectsServicesResource(*self._parts)

    def list(
        self,
        *,
        cursor: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Project, ProjectList]:
        """List projects.

        Returns the projects in the caller's mode, newest first. Deleted projects are not included. A key bound to agents or projects gets only the projects that it can access. Requires the scope `projects:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            page: Page number, 1 by default. Projects that are created or deleted between two calls move the pages; `cursor` misses none. Not together with `cursor`.
            per_page: Number of projects per page. Default: 20.
        """
        return self._pages(f"/projects", "tenant", ProjectList, options, query=given({"cursor": cursor, "page": page, "per_page": per_page}, {}))

    async def create(
        self,
        *,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        monthly_cap: Amount | None = None,
        currency: Literal["usd"] | None = None,
        cap_behavior: Literal["block", "require_approval"] | None = None,
        provider_caps: ProjectCreateRequestProviderCapsParam | None = None,
        environments: Sequence[str] | None = None,
        agent_ids: Sequence[str] | None = None,
        policy_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> Project:
        """Create a project.

        Creates a project in the caller's mode. A project contains services and variables and has a monthly cap. Keys bound to agents or projects cannot create projects. Fails with `already_exists` if a project with this name exists, and with `conflict` if the account has reached its maximum number of projects. Requires the scope `projects:write`.

        Args:
            name: 1 to 100 characters on one line, without leading or trailing spaces. Unique per account and mode, ignoring case.
            description: Up to 1,000 characters without NUL. `null` means no description.
            monthly_cap: An amount in US dollars with up to two decimal places, as a string or a JSON number. The maximum total of the project's charges per calendar month (UTC). Default: 100.00.
            cap_behavior: What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.
            provider_caps: Monthly caps for individual providers, in US dollars. They apply in addition to `monthly_cap`. Default: none.
            environments: Names of the project's environments. They cannot be changed later. Default: `development` and `production`.
            agent_ids: UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project.
            policy_id: The id of a policy that applies to the project, beside those that name it. `null`: none.
            metadata: Up to 50 key-value pairs that you choose. Keys have up to 40 characters, values up to 500. Default: `{}`.
        """
        return await self._call("POST", f"/projects", "tenant", Project, options, body=given({"name": name, "monthly_cap": monthly_cap, "currency": currency, "cap_behavior": cap_behavior, "provider_caps": provider_caps, "environments": environments, "agent_ids": agent_ids, "metadata": metadata}, {"description": description, "policy_id": policy_id}))

    async def get(
        self,
        project_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Project:
        """Get a project.

        Returns the project with its usage in the current month. Requires the scope `projects:read`.
        """
        return await self._call("GET", f"/projects/{path_segment(project_id)}", "tenant", Project, options)

    async def delete(
        self,
        project_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ProjectDeletion:
        """Delete a project.

        Deletes a project: removes all services, revokes the provider links, deletes the variables, and deletes the project's customer at the payment processor. `POST /projects/{project_id}/delete-preview` shows in advance what happens to each service's resource at its provider. Waits up to 20 seconds for the deletion to finish. If `status` is then `deleting`, repeat the request to check the progress. Fails with 404 `project_not_found` once the project is deleted. Requires the scope `projects:write`.
        """
        return await self._call("DELETE", f"/projects/{path_segment(project_id)}", "tenant", ProjectDeletion, options)

    async def update(
        self,
        project_id: str,
        *,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        monthly_cap: Amount | None = None,
        cap_behavior: Literal["block", "require_approval"] | None = None,
        provider_caps: ProjectUpdateRequestProviderCapsParam | None | NotGiven = NOT_GIVEN,
        agent_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        policy_id: str | None | NotGiven = NOT_GIVEN,
        status: Literal["active"] | None = None,
        metadata: dict[str, str | None] | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Project:
        """Update a project.

        Updates a project. Absent fields are unchanged, and `null` clears a nullable field. `provider_caps` and `metadata` are merged with their current values. The cap can be lower than this month's spending; further charges are then rejected. Fails with `already_exists` if another project has the name, and with `conflict` if its status does not allow the change: the agents of a suspended project cannot be changed. Requires the scope `projects:write`.

        Args:
            name: 1 to 100 characters on one line, without leading or trailing spaces. Unique per account and mode, ignoring case.
            description: Up to 1,000 characters without NUL. `null` means no description.
            monthly_cap: An amount in US dollars with up to two decimal places, as a string or a JSON number. The maximum total of the project's charges per calendar month (UTC).
            cap_behavior: What happens to a request that would exceed a cap. `block`: it is rejected with 403 `cap_exceeded`. `require_approval`: it waits for an approval, after which it may exceed this cap once. Conversions are rejected in both cases.
            provider_caps: Monthly caps for individual providers, merged with the current caps. Set a provider to null to remove its cap, or `provider_caps` to null to remove all caps.
            agent_ids: UUIDs of the agents that can use the project. An API key bound to one of these agents can access the project.
            policy_id: The id of a policy that applies to the project, beside those that name it. `null`: none.
            status: Lifts the suspension of a project that a kill switch suspended. Requires a dashboard session.
            metadata: Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update.
        """
        return await self._call("PATCH", f"/projects/{path_segment(project_id)}", "tenant", Project, options, body=given({"name": name, "monthly_cap": monthly_cap, "cap_behavior": cap_behavior, "status": status}, {"description": description, "provider_caps": provider_caps, "agent_ids": agent_ids, "policy_id": policy_id, "metadata": metadata}))

    async def status(
        self,
        project_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ProjectOverview:
        """Get the status of a project.

        Returns the project's spending in the current month, its newest charges, its services and links, and the actions that a user must take. Requires the scope `projects:read`.
        """
        return await self._call("GET", f"/projects/{path_segment(project_id)}/status", "tenant", ProjectOverview, options)

    async def delete_preview(
        self,
        project_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ProjectDeletionPreview:
        """Preview the deletion of a project.

        Returns what `DELETE /projects/{project_id}` would do to each service and to the variables, and what will still be billed. Changes nothing. Requires the scope `projects:read`.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/delete-preview", "tenant", ProjectDeletionPreview, options)

    def charges(
        self,
        project_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        period: str | None = None,
        provider: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Charge, ChargeList]:
        """List charges of a project.

        Returns the project's charges, newest first: one for each service and month, another one if the service's plan changed in the month, and one for each payment that counts toward the cap. Charges of a deleted project stay readable. The amount of a `reserved` charge is the price or the estimated cost. It becomes final after the month ends, or when the service is removed. Requires the scope `projects:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            period: Returns only charges of this calendar month (UTC), for example `2026-11`.
            provider: Returns only charges of this provider, for example `neon`.
        """
        return self._pages(f"/projects/{path_segment(project_id)}/charges", "tenant", ChargeList, options, query=given({"cursor": cursor, "limit": limit, "period": period, "provider": provider}, {}))

    def catalog(
        self,
        *,
        q: str | None = None,
        category: str | None = None,
        provider: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[CatalogProvider, Catalog]:
        """List catalog providers.

        Returns the providers that can be linked, sorted by id, with their services, plans, prices and regions. If several filters are set, only providers that match all of them are returned. Requires the scope `projects:read`.

        Args:
            q: Text to search for in names, categories, services and descriptions, ignoring case.
            category: A category, for example `database`.
            provider: Return only the provider with this id.
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/projects/catalog", "tenant", Catalog, options, query=given({"q": q, "category": category, "provider": provider, "cursor": cursor, "limit": limit}, {}))

    def audit(
        self,
        project_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[AuditEntry, AuditEntryList]:
        """List audit entries of a project.

        Returns the audit entries that belong to the project, newest first. A page can have fewer entries than `limit` even if it is not the last one; check `has_more`. Requires the scope `audit:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/projects/{path_segment(project_id)}/audit", "tenant", AuditEntryList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    def invoices(
        self,
        project_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Invoice, InvoiceList]:
        """List invoices of a project.

        Returns the project's invoices, newest first. Those of a deleted project stay readable. Fails with `project_not_found`. Requires the scope `projects:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/projects/{path_segment(project_id)}/invoices", "tenant", InvoiceList, options, query=given({"cursor": cursor, "limit": limit}, {}))


class AsyncProjectsEnvResource(parts.AsyncProjectsEnvPart):
    async def compare(
        self,
        project_id: str,
        *,
        environment: str,
        values: dict[str, str],
        password: str | None = None,
        totp_code: str | None = None,
        options: RequestOptions | None = None,
    ) -> EnvComparison:
        """Compare values with an environment.

        Returns for each name whether the sent value is the one of the environment: the project's own variables and those of its services. Never returns a value. Accepts only dashboard sessions, with `X-Svc-Mode`, and requires a login within the last 15 minutes, or the field `password` or `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `rate_limited` after 20 calls within a minute, and with `conflict` if the project is suspended. Writes an audit entry with the number of values that were sent. An `Idempotency-Key` is ignored, because nothing of the request is kept.

        Args:
            environment: The environment to compare with.
            values: At most 200 values by name, each of at most 32 KiB in UTF-8. They are compared and then forgotten. Names that differ only in case are different.
            password: The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`.
            totp_code: The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/env/compare", "dashboard", EnvComparison, options, body=given({"environment": environment, "values": values, "password": password, "totp_code": totp_code}, {}))


class AsyncProjectsVariablesResource(AsyncResource):
    def list(
        self,
        project_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Variable, VariableList]:
        """List variables.

        Returns the names and metadata of the project's variables, sorted by name. Does not include values or the variables of services. Requires the scope `projects:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/projects/{path_segment(project_id)}/variables", "tenant", VariableList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def get(
        self,
        project_id: str,
        name: str,
        *,
        options: RequestOptions | None = None,
    ) -> Variable:
        """Get a variable.

        Returns a variable's metadata. Only `GET /projects/{project_id}/env` returns values. Requires the scope `projects:read`.
        """
        return await self._call("GET", f"/projects/{path_segment(project_id)}/variables/{path_segment(name)}", "tenant", Variable, options)

    async def set(
        self,
        project_id: str,
        name: str,
        *,
        value: str,
        environments: Sequence[str] | None = None,
        sensitive: bool | None = None,
        options: RequestOptions | None = None,
    ) -> Variable:
        """Set a variable.

        Sets a variable in some or all of the project's environments. Its values in other environments are unchanged. Fails with `validation_error` for a name that is reserved in any case, such as `PATH`, with `already_exists` if another variable has the name in another case, and with `conflict` if the project would exceed 1,000 variables, 8 MiB of values, or 1 MiB of values in one environment. Requires the scope `projects:write`.

        Args:
            value: The value: UTF-8 text of at most 32 KiB without NUL characters.
            environments: Environments in which to set the variable. Default: all environments of the project.
            sensitive: Whether the value is a secret that tools should not display. Applies to the variable in all environments. Default: true.
        """
        return await self._call("PUT", f"/projects/{path_segment(project_id)}/variables/{path_segment(name)}", "tenant", Variable, options, body=given({"value": value, "environments": environments, "sensitive": sensitive}, {}))

    async def delete(
        self,
        project_id: str,
        name: str,
        *,
        options: RequestOptions | None = None,
    ) -> DeletedVariable:
        """Delete a variable.

        Deletes the variable and its values in all environments. Requires the scope `projects:write`.
        """
        return await self._call("DELETE", f"/projects/{path_segment(project_id)}/variables/{path_segment(name)}", "tenant", DeletedVariable, options)


class AsyncProjectsOperationsResource(parts.AsyncProjectsOperationsPart):
    async def get(
        self,
        project_id: str,
        operation_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Operation:
        """Get an operation of a project.

        Returns a project's operation with the status of each step. A step that was undone after a failure has the status `compensated`. Never returns credentials. Fails with `project_not_found` or `operation_not_found`. Requires the scope `projects:read`.
        """
        return await self._call("GET", f"/projects/{path_segment(project_id)}/operations/{path_segment(operation_id)}", "tenant", Operation, options)


class AsyncOperationsResource(parts.AsyncOperationsPart):
    async def get(
        self,
        operation_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Operation:
        """Get an operation.

        Returns an operation and its steps, even if it does not belong to a project. Requires the read scope for the operation's type, for example `projects:read`. Without this scope, the call fails with 403 `insufficient_scope`. Fails with 404 `operation_not_found` if the key is bound to projects or agents and cannot access the operation's subject. The operation that deleted a project stays readable. Never returns credentials.
        """
        return await self._call("GET", f"/operations/{path_segment(operation_id)}", "tenant", Operation, options)


class AsyncAuditResource(parts.AsyncAuditPart):
    def entries(
        self,
        *,
        chain: Literal["tenant", "provider_keys"] | None = None,
        action: str | None = None,
        subject_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[AuditEntry, AuditEntryList]:
        """List audit entries.

        Returns the entries of an audit chain, newest first. With a filter, a page can have few or no entries even if `has_more` is true. Test keys can list only entries in test mode. Requires the scope `audit:read`.

        Args:
            chain: The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries. Default: `tenant`.
            action: Return only entries with this action, for example `api_key.created`.
            subject_id: Return only entries whose subject has this id.
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/audit/entries", "tenant", AuditEntryList, options, query=given({"chain": chain, "action": action, "subject_id": subject_id, "cursor": cursor, "limit": limit}, {}))

    def checkpoints(
        self,
        *,
        chain: Literal["tenant", "provider_keys"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[AuditCheckpoint, AuditCheckpointList]:
        """List audit checkpoints.

        Returns the signed checkpoints of an audit chain, newest first. Each checkpoint contains the hash of the previous checkpoint. The public keys for the signatures are at `/.well-known/jwks.json`. Requires the scope `audit:read`.

        Args:
            chain: The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries. Default: `tenant`.
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/audit/checkpoints", "tenant", AuditCheckpointList, options, query=given({"chain": chain, "cursor": cursor, "limit": limit}, {}))

    async def verify(
        self,
        *,
        chain: Literal["tenant", "provider_keys"] | None = None,
        since: Literal["checkpoint"] | None = None,
        options: RequestOptions | None = None,
    ) -> AuditVerification:
        """Verify an audit chain.

        Recomputes the hashes of an audit chain and compares the chain with its newest checkpoint in external storage (the anchor). All entries recorded before the call are checked, unless `since` is sent. Requires the scope `audit:read`.

        Args:
            chain: The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries. Default: `tenant`.
            since: Send `checkpoint` to start the check at the newest checkpoint in the anchor instead of at the first entry. If `anchor.status` is not `matched`, all entries are checked.
        """
        return await self._call("GET", f"/audit/verify", "tenant", AuditVerification, options, query=given({"chain": chain, "since": since}, {}))


class AsyncProjectsBillingResource(AsyncResource):
    async def attach_payment_method(
        self,
        project_id: str,
        *,
        payment_method_id: str,
        set_default: bool | None = None,
        return_url: str | None = None,
        options: RequestOptions | None = None,
    ) -> PaymentMethodAttachment:
        """Attach a payment method.

        Attaches a payment method to the project's customer at the payment processor and sets it up for future charges. Creates the customer if the project has none. `setup_intent.next_action` states what the owner must do. Fails with `validation_error` if the payment method is unknown or declined; the `code` in `errors` is the payment processor's reason. Fails with `conflict` if the project is not active. Requires the scope `projects:write`.

        Args:
            payment_method_id: The payment method's id at the payment processor, with the prefix `pm_`. Never send a card number: a request that contains one is rejected with 422.
            set_default: Whether the project's charges use this payment method from now on. Default: true.
            return_url: The page to which the bank redirects the owner of the payment method after confirmation. Must use https, or http with a loopback host. If absent, no redirect is used, and the owner confirms the payment method with `client_secret`.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/billing/payment-methods", "tenant", PaymentMethodAttachment, options, body=given({"payment_method_id": payment_method_id, "set_default": set_default, "return_url": return_url}, {}))


class AsyncInvoicesResource(AsyncResource):
    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Invoice, InvoiceList]:
        """List invoices.

        Returns the invoices for what Purser bills, of all projects of the caller's mode, newest first. Those of deleted projects are included. Requires the scope `projects:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/invoices", "tenant", InvoiceList, options, query=given({"cursor": cursor, "limit": limit}, {}))


class AsyncProjectsLinksResource(AsyncResource):
    async def begin(
        self,
        project_id: str,
        *,
        provider: Literal["neon", "supabase"],
        mode: Literal["auto", "existing_account", "new_account"] | None = None,
        scopes: Sequence[str] | None = None,
        region: str | None = None,
        redirect_uri: str | None = None,
        accept_terms_version: str | None = None,
        force: bool | None = None,
        options: RequestOptions | None = None,
    ) -> Link:
        """Link a provider.

        Starts a link between the project and the developer's account at a provider. A user must complete the link at `url` within ten minutes. `url` is the provider's consent page, or a form in which the user enters an API token for the provider. If the provider's `auth` in the catalog is `instant`, the provider is asked for an account with the developer's email address, and the link usually has the status `linked` at once; if the developer already has an account there, a user gives consent at `url`. Earlier pending links of the project to this provider expire. If the provider is already linked, the existing link is returned unchanged unless `force` is true. Fails with `conflict` if the project's status does not allow new links. Requires the scope `projects:write`.

        Args:
            provider: A provider id from the catalog.
            mode: The kind of provider account to link. `new_account` is only valid for providers whose `auth` in the catalog is `instant`. Such a provider decides itself whether it creates an account. Default: `auto`.
            scopes: OAuth scopes to store with the link. They are not sent to the provider: the scopes that are granted depend on the provider's OAuth app.
            region: A region from the provider's `regions` in the catalog. The value is checked but has no effect in this API version.
            redirect_uri: URL that the browser is redirected to when linking succeeds or fails, with the query parameters `link_id` and `status`. Must be on this server, or use `http` with a loopback host. Default: a page on this server.
            accept_terms_version: The version of the provider's terms that the developer accepts. The call fails with 409 `tos_acceptance_required` if it is not the current version. Default: the version is not checked.
            force: Whether to start a new link even if the provider is already linked. The existing link stays usable until the new one is completed. Default: false.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/link", "tenant", Link, options, body=given({"provider": provider, "mode": mode, "scopes": scopes, "region": region, "redirect_uri": redirect_uri, "accept_terms_version": accept_terms_version, "force": force}, {}))

    async def complete_callback(
        self,
        *,
        state: str,
        code: str | None = None,
        error: str | None = None,
        options: RequestOptions | None = None,
    ) -> FinishedLink:
        """Receive an OAuth callback.

        The URL to which providers redirect the user's browser (the OAuth redirect URI). Completes the provider link that the `state` belongs to, or sets its status to `failed`. Unknown parameters are ignored. Browsers (`Accept: text/html`) are redirected with 303 to the provider link's `redirect_uri`, or to a page that shows the outcome. Other clients receive 200, or `invalid_state` if the state is unknown, used or expired.

        Args:
            state: The OAuth `state` value that identifies the link. Valid once, for ten minutes.
            code: The authorization code. Required unless `error` is sent, and ignored if `error` is sent.
            error: The provider's error code (RFC 6749, section 4.1.2.1). If it is sent, the link fails.
        """
        return await self._call("POST", f"/projects/webhooks/oauth-callback", "public", FinishedLink, options, query=given({"state": state, "code": code, "error": error}, {}))

    async def complete_redirect(
        self,
        *,
        state: str,
        code: str | None = None,
        error: str | None = None,
        options: RequestOptions | None = None,
    ) -> FinishedLink:
        """Receive an OAuth callback.

        The URL to which providers redirect the user's browser (the OAuth redirect URI). Completes the provider link that the `state` belongs to, or sets its status to `failed`. Unknown parameters are ignored. Browsers (`Accept: text/html`) are redirected with 303 to the provider link's `redirect_uri`, or to a page that shows the outcome. Other clients receive 200, or `invalid_state` if the state is unknown, used or expired.

        Args:
            state: The OAuth `state` value that identifies the link. Valid once, for ten minutes.
            code: The authorization code. Required unless `error` is sent, and ignored if `error` is sent.
            error: The provider's error code (RFC 6749, section 4.1.2.1). If it is sent, the link fails.
        """
        return await self._call("GET", f"/projects/webhooks/oauth-callback", "public", FinishedLink, options, query=given({"state": state, "code": code, "error": error}, {}))

    def list(
        self,
        project_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Link, LinkList]:
        """List links.

        Returns the project's links, newest first, including failed, expired and revoked ones. `url` and `state` are null. Requires the scope `projects:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/projects/{path_segment(project_id)}/links", "tenant", LinkList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def get(
        self,
        project_id: str,
        link_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Link:
        """Get a link.

        Returns a link. While the link is pending, `url` and `state` are included for callers that can link providers: a dashboard session, or a key that has the scope `projects:write` and is not bound to agents. Requires the scope `projects:read`.
        """
        return await self._call("GET", f"/projects/{path_segment(project_id)}/links/{path_segment(link_id)}", "tenant", Link, options)

    async def revoke(
        self,
        project_id: str,
        link_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Link:
        """Revoke a link.

        Revokes a completed or pending link and deletes its tokens. Tokens that the provider issued to Purser are also revoked at the provider, unless another link uses the account. A failed, expired or revoked link is returned unchanged. Fails with `link_in_use` while services use the link. Requires the scope `projects:write`.
        """
        return await self._call("DELETE", f"/projects/{path_segment(project_id)}/links/{path_segment(link_id)}", "tenant", Link, options)


class AsyncProjectsServicesResource(AsyncResource):
    async def add(
        self,
        project_id: str,
        *,
        service: str | None = None,
        provider: str | None = None,
        service_slug: str | None = None,
        name: str | None = None,
        plan: str | None = None,
        config: dict[str, Any] | None = None,
        region: str | None = None,
        environments: Sequence[str] | None = None,
        env_prefix: str | None = None,
        max_monthly_cost: Amount | None = None,
        accept_terms_version: str | None = None,
        existing_resource_id: str | None = None,
        agent_id: str | None = None,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> ServiceAddition:
        """Add a service.

        Adds a service from a linked provider to the project. First reserves the plan's price, which counts toward the caps of the project and the provider. Then provisions the service. Waits up to 20 seconds for the operation to finish. If it is then still running, the response contains a `poll_url`. Fails with `payment_method_required`, `cap_exceeded`, `provider_not_linked`, `tos_acceptance_required`, `already_exists`, `conflict`, `agent_not_found`, `agent_suspended`, `provider_error` or `provider_unavailable`. If an agent adds the service, its policies decide first: the call can also fail with `policy_denied` or `kya_required`, or the operation requires an `approval`. After such a failure nothing is left at the provider. If a failure could not be undone, the response is 202 and the operation's status is `needs_operator`. Requires the scope `services:write`.

        Args:
            service: Id in the catalog: `provider/slug`, for example `neon/postgres`. Required unless `provider` and `service_slug` are set.
            provider: The provider's id, which is the part of `service` before the slash. Can be sent with `service_slug` instead of `service`.
            service_slug: The service's slug, which is the part of `service` after the slash. Can be sent with `provider` instead of `service`.
            name: The service's name, unique within the project: 1 to 63 letters, digits, dots, underscores and hyphens, starting with a letter or digit. Default: the service's slug in the catalog, with a number appended if the name is taken.
            plan: A plan id from the catalog. Default: the service's first plan.
            config: Configuration of the service. Must match the service's `config_schema` in the catalog. Default: `{}`.
            region: A region id from the catalog. Default: the provider's first region.
            environments: Environments whose env bundles contain the service's variables. Default: all environments of the project.
            env_prefix: Prefix for the names of the service's variables: 1 to 32 capital letters, digits and underscores, not starting with a digit. Default: none.
            max_monthly_cost: Maximum fixed price per month, in US dollars, as a string or a JSON number. The call fails if the plan costs more. Default: no limit.
            accept_terms_version: The version of the provider's terms that the developer accepts. The call fails with 409 `tos_acceptance_required` if it is not the current version. Default: the version is not checked.
            existing_resource_id: The id of an existing resource at the provider, to use instead of a new one: letters, digits, underscores and hyphens, starting with a letter or digit. Default: a new resource is created.
            agent_id: The UUID of the agent that adds the service. Must be equal to `X-Agent-ID` if that header is sent.
            metadata: Up to 50 key-value pairs that you choose. Keys have up to 40 characters, values up to 500. Default: `{}`.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/services", "tenant", ServiceAddition, options, body=given({"service": service, "provider": provider, "service_slug": service_slug, "name": name, "plan": plan, "config": config, "region": region, "environments": environments, "env_prefix": env_prefix, "max_monthly_cost": max_monthly_cost, "accept_terms_version": accept_terms_version, "existing_resource_id": existing_resource_id, "agent_id": agent_id, "metadata": metadata}, {}))

    def list(
        self,
        project_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Service, ServiceList]:
        """List services.

        Returns the project's services, newest first. Failed services are included, removed ones are not. Requires the scope `projects:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/projects/{path_segment(project_id)}/services", "tenant", ServiceList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def rotate(
        self,
        project_id: str,
        service_id: str,
        *,
        grace_period_seconds: int | None = None,
        reason: Literal["scheduled", "compromised", "personnel"] | None = None,
        retire_previous: bool | None = None,
        confirm_downtime: bool | None = None,
        options: RequestOptions | None = None,
    ) -> ServiceRotation:
        """Rotate a service's credentials.

        Issues new credentials at the provider, uses them once if possible, and puts them into the env bundles. The operation then ends. The former credentials stay valid for the grace period and are then retired at the provider: `status` is `pending` until then. Waits up to 20 seconds for the operation. Fails with `conflict` while the service is being changed, unless `reason` is `compromised` and the service is being rotated or its change of plan waits for an approval, which is then canceled. Also fails with `conflict` during the grace period of an earlier rotation, unless `retire_previous` is true or `reason` is `compromised`. If the key is bound to agents, the agent that acts must be active and a member of the project, and its policies decide about `env.pull`: the call can also fail with `agent_suspended`, `policy_denied` or `kya_required`. Fails with `provider_error` if the provider rejects the call or the new credentials, and with `provider_unavailable` if the provider cannot be reached. The former credentials are then still valid. Requires the scope `services:write`.

        Args:
            grace_period_seconds: How long the former credential stays valid, in seconds. Default: 3600. Ignored if the provider ends it at once.
            reason: `compromised`: the former credential is retired at once, even if a rotation is already running, and a running grace period ends. Default: `scheduled`.
            retire_previous: Ends the grace period of the former credential, if one is running. Otherwise the call fails then. Default: false.
            confirm_downtime: Omits the warning `downtime`. Default: false.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/services/{path_segment(service_id)}/rotate", "tenant", ServiceRotation, options, body=given({"grace_period_seconds": grace_period_seconds, "reason": reason, "retire_previous": retire_previous, "confirm_downtime": confirm_downtime}, {}))

    async def remove(
        self,
        project_id: str,
        service_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ServiceRemoval:
        """Remove a service.

        Removes a service and deletes its credentials. The resource at the provider is deleted with all its data. If the service was added with `existing_resource_id`, the resource stays at the provider. Waits up to 20 seconds for the removal to finish. If the operation is then still running, `poll_url` is set. While the service is being removed, a repeated call returns the running operation. Fails with `conflict` while the service is being added, with `provider_error` if the provider rejects the call, and with `provider_unavailable` if the provider cannot be reached. Requires the scope `services:write`.
        """
        return await self._call("DELETE", f"/projects/{path_segment(project_id)}/services/{path_segment(service_id)}", "tenant", ServiceRemoval, options)

    async def get(
        self,
        project_id: str,
        service_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Service:
        """Get a service.

        Returns a service of the project, even if adding it failed. Never returns credentials. Fails with 404 `service_not_found` if the service was removed. Requires the scope `projects:read`.
        """
        return await self._call("GET", f"/projects/{path_segment(project_id)}/services/{path_segment(service_id)}", "tenant", Service, options)

    async def upgrade(
        self,
        project_id: str,
        service_id: str,
        *,
        plan: str,
        effective: Literal["immediate", "period_end"] | None = None,
        max_monthly_cost: Amount | None = None,
        expected_current_plan: str | None = None,
        accept_terms_version: str | None = None,
        options: RequestOptions | None = None,
    ) -> ServiceUpgrade:
        """Change the plan of a service.

        Changes the plan, to a higher or a lower one. What the new plan costs in addition for the rest of the month is reserved before the provider is called, and counts toward the caps of the project and the provider. The service stays usable. Waits up to 20 seconds for the operation to finish. If the service already has the plan, nothing changes, and a scheduled change is canceled. While an operation that changes the plan needs an operator, the call fails with `conflict`. Fails with `not_upgradable`, `payment_method_required`, `cap_exceeded`, `tos_acceptance_required`, `conflict`, `agent_not_found`, `agent_suspended`, `provider_error` or `provider_unavailable`. If an agent changes the plan, its policies decide first: the call can also fail with `policy_denied` or `kya_required`, or the operation requires an `approval`. After such a failure the service has its former plan. Requires the scope `services:write`.

        Args:
            plan: The id of the new plan: one of the service's `allowed_updates`.
            effective: When the plan changes. `immediate`: now. `period_end`: when the month ends (UTC). Default: `immediate`, or `period_end` for a cheaper plan if the current plan is not prorated.
            max_monthly_cost: Maximum fixed price of the new plan per month, in US dollars, as a string or a JSON number. The call fails if the plan costs more. Default: no limit.
            expected_current_plan: The call fails with 409 `conflict` if the service has another plan. Default: not checked.
            accept_terms_version: The version of the provider's terms that the developer accepts. The call fails with 409 `tos_acceptance_required` if it is not the current version. Default: the version is not checked.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/services/{path_segment(service_id)}/upgrade", "tenant", ServiceUpgrade, options, body=given({"plan": plan, "effective": effective, "max_monthly_cost": max_monthly_cost, "expected_current_plan": expected_current_plan, "accept_terms_version": accept_terms_version}, {}))

    async def deep_link(
        self,
        project_id: str,
        service_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> DeepLink:
        """Open a service's dashboard.

        Returns a URL that opens the service in its provider's dashboard and can be used once. It is not stored: a repeated call with the same Idempotency-Key fails with `secret_already_issued`. Fails with 404 `not_found` if `dashboard_url_available` of the service is false. Requires the scope `services:write`.
        """
        return await self._call("POST", f"/projects/{path_segment(project_id)}/services/{path_segment(service_id)}/deep-link", "tenant", DeepLink, options)


class AsyncPoliciesResource(AsyncResource):
    async def create(
        self,
        *,
        name: str,
        default: Literal["deny"] | None = None,
        applies_to: PolicyCreateRequestAppliesToParam | None = None,
        rules: Sequence[PolicyRuleInputParam],
        approvals: PolicyApprovalsInputParam | None = None,
        options: RequestOptions | None = None,
    ) -> Policy:
        """Create a policy.

        Creates a policy in the caller's mode. It applies from the next decision on to the agents, wallets and projects that it names. Fails with `conflict` if the account has 200 policies in this mode. Requires the scope `policies:write`.

        Args:
            name: 1 to 100 characters on one line, without leading or trailing spaces.
            default: What happens to an operation that no rule allows. Only `deny` is supported.
            applies_to: The agents, wallets and projects to which the policy applies, up to 1,000 of each. They do not have to exist yet.
            rules: Up to 200 rules with up to 1,000 list elements in total.
        """
        return await self._call("POST", f"/policies", "tenant", Policy, options, body=given({"name": name, "default": default, "applies_to": applies_to, "rules": rules, "approvals": approvals}, {}))

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Policy, PolicyList]:
        """List policies.

        Returns the policies in the caller's mode, newest first. Deleted policies are not included. A key bound to agents gets only the policies of these agents and the starter policy. Requires the scope `policies:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/policies", "tenant", PolicyList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def get(
        self,
        policy_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Policy:
        """Get a policy.

        Returns a policy. A key bound to agents gets only the policies of these agents and the starter policy. Requires the scope `policies:read`.
        """
        return await self._call("GET", f"/policies/{path_segment(policy_id)}", "tenant", Policy, options)

    async def update(
        self,
        policy_id: str,
        *,
        name: str | None = None,
        default: Literal["deny"] | None = None,
        applies_to: PolicyUpdateRequestAppliesToParam | None | NotGiven = NOT_GIVEN,
        rules: Sequence[PolicyRuleInputParam] | None = None,
        approvals: PolicyUpdateRequestApprovalsParam | None | NotGiven = NOT_GIVEN,
        version: int | None = None,
        options: RequestOptions | None = None,
    ) -> Policy:
        """Update a policy.

        Changes a policy, which makes a new version. It decides from the next decision on. If no value changes, the version stays. Fails with `version_conflict` if `version` is not the current version. Requires the scope `policies:write`.

        Args:
            name: 1 to 100 characters on one line, without leading or trailing spaces.
            default: What happens to an operation that no rule allows. Only `deny` is supported.
            applies_to: The agents, wallets and projects to which the policy applies, up to 1,000 of each. An absent list is unchanged. `null` empties all lists.
            rules: Up to 200 rules with up to 1,000 list elements in total.
            approvals: How people approve. Replaces all current values. `null` restores the default values.
            version: The policy's current `version`. Any other value fails with `version_conflict`. Default: the version is not checked.
        """
        return await self._call("PATCH", f"/policies/{path_segment(policy_id)}", "tenant", Policy, options, body=given({"name": name, "default": default, "rules": rules, "version": version}, {"applies_to": applies_to, "approvals": approvals}))

    async def delete(
        self,
        policy_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a policy.

        Deletes a policy. Fails with `conflict` for the starter policy, and while it is the `policy_id` of an agent or a project. Requires the scope `policies:write`.
        """
        return await self._call("DELETE", f"/policies/{path_segment(policy_id)}", "tenant", None, options)

    async def version(
        self,
        policy_id: str,
        version: str,
        *,
        options: RequestOptions | None = None,
    ) -> Policy:
        """Get a version of a policy.

        Returns a policy as it was in this version, which is its current one or an earlier one. `updated_at` is when the version was made. Fails with `policy_not_found` if there is no such version. Requires the scope `policies:read`.
        """
        return await self._call("GET", f"/policies/{path_segment(policy_id)}/versions/{path_segment(version)}", "tenant", Policy, options)

    async def rollback(
        self,
        policy_id: str,
        *,
        version: int,
        options: RequestOptions | None = None,
    ) -> Policy:
        """Roll back a policy.

        Makes a new version with the name, the rules, `applies_to` and `approvals` of an existing version. Fails with `validation_error` if the version does not exist. Requires the scope `policies:write`.

        Args:
            version: The version whose content the new version gets.
        """
        return await self._call("POST", f"/policies/{path_segment(policy_id)}/rollback", "tenant", Policy, options, body=given({"version": version}, {}))

    async def evaluate(
        self,
        *,
        operation: Literal["payment", "x402", "mpp", "contract_call", "service.add", "service.upgrade", "env.pull", "on_ramp", "off_ramp", "wallet.create"],
        agent_id: str | None = None,
        wallet_id: str | None = None,
        project_id: str | None = None,
        policy_id: str | None = None,
        policy: PolicyEvaluateRequestPolicyParam | None = None,
        facts: PolicyFactsParam | None = None,
        options: RequestOptions | None = None,
    ) -> PolicyEvaluation:
        """Evaluate policies.

        Returns what policies decide about an operation, and why, without doing it. Evaluates the policies that apply to the agent, the wallet and the project, or only `policy_id`, or only the draft `policy`. Changes nothing. Requires the scope `policies:read`.

        Args:
            agent_id: The UUID of an agent.
            wallet_id: The id of a wallet.
            project_id: The id of a project.
            policy_id: Evaluates only this policy.
            policy: Evaluates only this draft, which is not stored. Cannot be combined with `policy_id`.
        """
        return await self._call("POST", f"/policies/evaluate", "tenant", PolicyEvaluation, options, body=given({"operation": operation, "agent_id": agent_id, "wallet_id": wallet_id, "project_id": project_id, "policy_id": policy_id, "policy": policy, "facts": facts}, {}))

    async def backtest(
        self,
        policy_id: str,
        *,
        agent_id: str,
        rules: Sequence[PolicyRuleInputParam] | None = None,
        approvals: PolicyApprovalsInputParam | None = None,
        options: RequestOptions | None = None,
    ) -> Backtest:
        """Back-test a policy.

        Replays what the agent asked to do in the last 30 days with this policy, or with the draft `rules` and `approvals`, and returns what would have been refused or needed an approval. Changes nothing. Limits start empty, and count only operations that were allowed and that the rules allow too. Fails with `conflict` while another back-test of the account and mode runs. Requires the scope `policies:read`.

        Args:
            agent_id: The UUID of an agent.
            rules: The rules to test. Default: the policy's current rules.
        """
        return await self._call("POST", f"/policies/{path_segment(policy_id)}/backtest", "tenant", Backtest, options, body=given({"agent_id": agent_id, "rules": rules, "approvals": approvals}, {}))


class AsyncAgentsResource(AsyncResource):
    async def create(
        self,
        *,
        agent_id: str | None = None,
        name: str,
        description: str | None | NotGiven = NOT_GIVEN,
        software: AgentCreateRequestSoftwareParam | None | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        policy_id: str | None | NotGiven = NOT_GIVEN,
        public_key: str | None = None,
        proof: str | None = None,
        parent_agent_id: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> Agent:
        """Create an agent.

        Creates an active agent in the caller's mode. A child agent cannot act while its parent is not active, and its parent's policies apply to it too. Fails with `already_exists` if the id is taken, also by a deleted agent, and with `conflict` if the account has reached its maximum number of agents. Requires the scope `agents:write`.

        Args:
            agent_id: A UUID that no other agent of this mode has or had. Default: a new random one. Required with `public_key`.
            name: A name for the agent: 1 to 100 printable characters.
            description: Up to 1,000 characters without NUL. `null` means no description.
            software: The name, version and model of the software that the agent runs.
            expires_at: When the agent expires. Must be in the future. An agent expires no later than its parent: a later time, and `null`, are replaced with the parent's expiry.
            policy_id: A policy of the same mode that applies to the agent in addition to those that name it.
            public_key: An Ed25519 public key: 32 bytes encoded as Base64url. Must be sent with `proof`.
            proof: An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<agent_id>\\n<public_key>`, made with the private key and encoded as Base64url. `<agent_id>` is in lowercase. It proves that the agent holds the private key.
            parent_agent_id: The agent that this agent acts for. It must be active and have at most two ancestors. It cannot be changed later.
            metadata: Up to 50 key-value pairs that you choose. Default: `{}`.
        """
        return await self._call("POST", f"/agents", "tenant", Agent, options, body=given({"agent_id": agent_id, "name": name, "public_key": public_key, "proof": proof, "metadata": metadata}, {"description": description, "software": software, "expires_at": expires_at, "policy_id": policy_id, "parent_agent_id": parent_agent_id}))

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Agent, AgentList]:
        """List agents.

        Returns the agents in the caller's mode, newest first. Deleted agents are not included. A key bound to agents gets only these, and a key bound only to projects gets the agents that can use them. Requires the scope `agents:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/agents", "tenant", AgentList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def get(
        self,
        agent_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Agent:
        """Get an agent.

        Returns the agent. Fails with `agent_not_found` if it is deleted. Requires the scope `agents:read`.
        """
        return await self._call("GET", f"/agents/{path_segment(agent_id)}", "tenant", Agent, options)

    async def update(
        self,
        agent_id: str,
        *,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        software: AgentUpdateRequestSoftwareParam | None | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        policy_id: str | None | NotGiven = NOT_GIVEN,
        public_key: str | None = None,
        proof: str | None = None,
        metadata: dict[str, str | None] | None | NotGiven = NOT_GIVEN,
        external_token: str | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Agent:
        """Update an agent.

        Updates an agent. Absent fields are unchanged, and `null` clears a nullable field. `metadata` is merged with its current value. `public_key` adds a key, up to five. Fails with `conflict` if the agent is revoked or expired, and with `provider_unavailable` if the keys of the token's issuer cannot be fetched. Requires the scope `agents:write`.

        Args:
            name: A name for the agent: 1 to 100 printable characters.
            description: Up to 1,000 characters without NUL. `null` means no description.
            software: The name, version and model of the software that the agent runs.
            expires_at: When the agent expires. Must be in the future. An agent expires no later than its parent: a later time, and `null`, are replaced with the parent's expiry.
            policy_id: A policy of the same mode that applies to the agent in addition to those that name it.
            public_key: An Ed25519 public key: 32 bytes encoded as Base64url. Must be sent with `proof`.
            proof: An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<agent_id>\\n<public_key>`, made with the private key and encoded as Base64url. `<agent_id>` is in lowercase. It proves that the agent holds the private key.
            metadata: Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update.
            external_token: A JWT of a supported issuer about the agent, which gives the level `attested` until the token expires. `sub` must be `{mode}/{developer_id}/{agent_id}`; or `sub` or `agent_id` the agent's id, `owner` the `developer_id` and `mode` the mode. Each `jti` is accepted once. `aud` must be this server's URL, and `exp` at most one year ahead. Algorithms: ES256, EdDSA, RS256. `null` removes the stored token.
        """
        return await self._call("PATCH", f"/agents/{path_segment(agent_id)}", "tenant", Agent, options, body=given({"name": name, "public_key": public_key, "proof": proof}, {"description": description, "software": software, "expires_at": expires_at, "policy_id": policy_id, "metadata": metadata, "external_token": external_token}))

    async def delete(
        self,
        agent_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete an agent.

        Revokes the agent (see `POST /agents/{agent_id}/revoke`) and hides it: it is not found from then on. Its id is never free again. Its children remain, but cannot act. Fails with `conflict` while a wallet of the agent has a balance. Requires the scope `agents:write`.
        """
        return await self._call("DELETE", f"/agents/{path_segment(agent_id)}", "tenant", None, options)

    async def budgets(
        self,
        agent_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AgentBudgets:
        """Get the budgets of an agent.

        Returns every budget that limits the agent now, with what is spent, reserved and left of it: the limits of the policies of the agent, of its ancestors, and of its wallets and projects, and the caps of its projects. A key that is bound to agents can read only these. Fails with `agent_not_found`, and with `conflict` if the policies are too large to decide. Requires the scope `agents:read`.
        """
        return await self._call("GET", f"/agents/{path_segment(agent_id)}/budgets", "tenant", AgentBudgets, options)

    async def suspend(
        self,
        agent_id: str,
        *,
        reason: str | None = None,
        options: RequestOptions | None = None,
    ) -> Agent:
        """Suspend an agent.

        Suspends an active agent until it is resumed. Neither the agent nor its descendants can act, and no money leaves their accounts. Does nothing if the agent is already suspended. Fails with `conflict` if it is revoked or expired. Requires the scope `agents:write`.

        Args:
            reason: Why the status changes, for the audit trail. Up to 500 characters.
        """
        return await self._call("POST", f"/agents/{path_segment(agent_id)}/suspend", "tenant", Agent, options, body=given({"reason": reason}, {}))

    async def resume(
        self,
        agent_id: str,
        *,
        reason: str | None = None,
        options: RequestOptions | None = None,
    ) -> Agent:
        """Resume an agent.

        Makes a suspended agent active again. Descendants that are suspended themselves remain suspended. Does nothing if the agent is active. Fails with `conflict` if it is revoked or expired. Requires the scope `agents:write`.

        Args:
            reason: Why the status changes, for the audit trail. Up to 500 characters.
        """
        return await self._call("POST", f"/agents/{path_segment(agent_id)}/resume", "tenant", Agent, options, body=given({"reason": reason}, {}))

    async def revoke(
        self,
        agent_id: str,
        *,
        reason: str | None = None,
        options: RequestOptions | None = None,
    ) -> Agent:
        """Revoke an agent.

        Revokes the agent for ever. API keys that are bound only to revoked agents are revoked too, and its wallets are frozen. Its children remain, but cannot act. If the agent is already revoked, only wallets that were unfrozen since are frozen again. Requires the scope `agents:write`.

        Args:
            reason: Why the status changes, for the audit trail. Up to 500 characters.
        """
        return await self._call("POST", f"/agents/{path_segment(agent_id)}/revoke", "tenant", Agent, options, body=given({"reason": reason}, {}))

    async def create_key(
        self,
        agent_id: str,
        *,
        name: str,
        signature_alg: Literal["hmac-sha256", "ed25519"] | None = None,
        public_key: str | None = None,
        proof: str | None = None,
        scopes: Sequence[Literal["projects:read", "projects:write", "services:write", "env:read", "wallets:read", "wallets:write", "wallets:freeze", "payments:read", "payments:write", "fiat:read", "fiat:write", "agents:read", "agents:write", "policies:read", "policies:write", "approvals:read", "approvals:write", "keys:read", "keys:write", "provider_keys:read", "provider_keys:write", "audit:read", "webhooks:read", "webhooks:write", "events:read", "kill_switch:write"]] | None = None,
        project_ids: Sequence[str] | None = None,
        ip_allowlist: Sequence[str] | None = None,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        rate_limit_per_minute: int | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> IssuedApiKey:
        """Create an agent's API key.

        Creates a key pair that is bound to the agent and has its mode. Works like `POST /developers/me/keys` otherwise: the secret is returned only in this response, and the key cannot have more permissions than the caller. Fails with `agent_suspended` if the agent or one of its ancestors is not active. Requires the scope `agents:write`.

        Args:
            name: A name for the key: up to 100 characters on one line.
            signature_alg: The signature algorithm for requests. Default: `hmac-sha256`.
            public_key: The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key.
            proof: An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<developer_id>\\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`.
            scopes: The scopes of the key. Default: the caller's scopes except `approvals:write`. If the new key is a test key, the default does not include `audit:read` either.
            project_ids: Ids of the projects that the key is bound to. The projects must have the same mode as the key. Default: the `project_ids` of the calling key.
            ip_allowlist: Networks that requests must come from, as IPv4 or IPv6 CIDR blocks. Default: the `ip_allowlist` of the calling key.
            expires_at: When the key expires. Must be in the future. Send `null` for a key that never expires. Default: the `expires_at` of the calling key.
            rate_limit_per_minute: Maximum requests per minute. Send `null` for the standard limit for API keys. Default: the `rate_limit_per_minute` of the calling key.
            metadata: Up to 50 key-value pairs that you choose.
        """
        return await self._call("POST", f"/agents/{path_segment(agent_id)}/keys", "tenant", IssuedApiKey, options, body=given({"name": name, "signature_alg": signature_alg, "public_key": public_key, "proof": proof, "scopes": scopes, "project_ids": project_ids, "ip_allowlist": ip_allowlist, "metadata": metadata}, {"expires_at": expires_at, "rate_limit_per_minute": rate_limit_per_minute}))

    async def kya_token(
        self,
        agent_id: str,
        *,
        audience: str,
        options: RequestOptions | None = None,
    ) -> KyaToken:
        """Get a token about an agent.

        Returns a signed token with which the agent shows a third party how well it is known (KYA). The token is valid for ten minutes. The third party verifies it with the keys at `jwks_url` and compares `aud` with its own URL. Each token is an entry of the audit trail. Fails with `agent_suspended` if the agent or one of its ancestors is not active. Requires the scope `agents:read`.

        Args:
            audience: Whom the token is for, usually a URL such as `https://shop.example`: 1 to 200 ASCII characters without spaces.
        """
        return await self._call("GET", f"/agents/{path_segment(agent_id)}/kya-token", "tenant", KyaToken, options, query=given({"audience": audience}, {}))


class AsyncWalletsResource(AsyncResource):
    async def create(
        self,
        *,
        agent_id: str,
        network: Literal["ethereum", "eip155:1", "base", "eip155:8453", "arbitrum", "eip155:42161", "optimism", "eip155:10", "polygon", "eip155:137", "ethereum-sepolia", "eip155:11155111", "base-sepolia", "eip155:84532", "arbitrum-sepolia", "eip155:421614", "optimism-sepolia", "eip155:11155420", "polygon-amoy", "eip155:80002", "solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"],
        name: str | None | NotGiven = NOT_GIVEN,
        account_type: Literal["erc4337_v0.8"] | None = None,
        deploy: Literal["counterfactual", "immediate"] | None = None,
        gas: Literal["sponsored"] | None = None,
        policy_id: str | None | NotGiven = NOT_GIVEN,
        recovery_address: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> Wallet:
        """Create a wallet.

        Creates the agent's wallet on a network: a smart account (ERC-4337) whose address is known before it is deployed. An agent has at most one wallet on each network in each mode: otherwise fails with `wallet_already_exists` and the `wallet_id`. Fails with `agent_suspended` if the agent is not active or was deleted, and with `network_not_enabled` if wallets on the network are not available. If the request has `X-Agent-ID` or its key is bound to agents, the agent's policies decide about `wallet.create`. A key that is bound to agents cannot send `policy_id` or `recovery_address`. Requires the scope `wallets:write`.

        Args:
            agent_id: The agent that owns the wallet: a UUID. An unknown id creates the agent, with the starter policy.
            network: A network's name or CAIP-2 id, for example `base` or `eip155:8453`.
            name: A name for the wallet: 2 to 36 letters, digits and hyphens.
            account_type: The kind of account. Default: `erc4337_v0.8`.
            deploy: When the account's contract is deployed. Default: `counterfactual`, with the first payment. With `immediate`, a live wallet is `deploying` until a final block contains its contract. In test mode no contract is deployed, and `immediate` has no effect.
            gas: Who pays for the network. Default: `sponsored`.
            policy_id: A policy of the same mode that applies to the wallet in addition to those that name it.
            recovery_address: The address that can replace a lost key after a delay, in one case or with the checksum of EIP-55.
            metadata: Up to 50 key-value pairs that you choose. Default: `{}`.
        """
        return await self._call("POST", f"/wallets/create", "tenant", Wallet, options, body=given({"agent_id": agent_id, "network": network, "account_type": account_type, "deploy": deploy, "gas": gas, "metadata": metadata}, {"name": name, "policy_id": policy_id, "recovery_address": recovery_address}))

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        agent_id: str | None = None,
        network: Literal["ethereum", "eip155:1", "base", "eip155:8453", "arbitrum", "eip155:42161", "optimism", "eip155:10", "polygon", "eip155:137", "ethereum-sepolia", "eip155:11155111", "base-sepolia", "eip155:84532", "arbitrum-sepolia", "eip155:421614", "optimism-sepolia", "eip155:11155420", "polygon-amoy", "eip155:80002", "solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"] | None = None,
        status: Literal["active", "freezing", "frozen", "unfreezing", "closed"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Wallet, WalletList]:
        """List wallets.

        Returns the wallets in the caller's mode, newest first. With `X-Agent-ID`, returns only the wallets of this agent. A key bound to agents gets only the wallets of these agents. Requires the scope `wallets:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            agent_id: Returns only wallets of this agent.
            network: Returns only wallets on this network: a name or CAIP-2 id.
            status: Returns only wallets with this status.
        """
        return self._pages(f"/wallets", "tenant", WalletList, options, query=given({"cursor": cursor, "limit": limit, "agent_id": agent_id, "network": network, "status": status}, {}))

    async def list_of_agent(
        self,
        agent_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AgentWallets:
        """List an agent's wallets.

        Returns the agent's wallets on all networks, newest first: at most one on each. Returns an empty list for an unknown agent. Fails with `agent_not_found` if the key is bound to other agents, or `X-Agent-ID` names another agent. Requires the scope `wallets:read`.
        """
        return await self._call("GET", f"/wallets/agent/{path_segment(agent_id)}", "tenant", AgentWallets, options)

    async def get(
        self,
        wallet_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Wallet:
        """Get a wallet.

        Returns the wallet with its balances. With `X-Agent-ID`, the wallet must belong to this agent. Requires the scope `wallets:read`.
        """
        return await self._call("GET", f"/wallets/{path_segment(wallet_id)}", "tenant", Wallet, options)

    async def update(
        self,
        wallet_id: str,
        *,
        name: str | None | NotGiven = NOT_GIVEN,
        metadata: dict[str, str | None] | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Wallet:
        """Update a wallet.

        Changes the name and the metadata. Absent fields are unchanged, and `null` clears a field. `metadata` is merged with its current value. Requires the scope `wallets:write`.

        Args:
            name: A name for the wallet: 2 to 36 letters, digits and hyphens.
            metadata: Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update.
        """
        return await self._call("PATCH", f"/wallets/{path_segment(wallet_id)}", "tenant", Wallet, options, body=given({}, {"name": name, "metadata": metadata}))

    async def balance(
        self,
        wallet_id: str,
        *,
        refresh: bool | None = None,
        options: RequestOptions | None = None,
    ) -> WalletBalances:
        """Get a wallet's balance.

        Returns the balances of the wallet, one for each token. They are cached for up to 30 seconds, and contain every change that was acknowledged before the call. The totals of a live wallet are those of the newest block of its network when they were read. A deposit is part of `total` at once, and of `available` once it is final. Requires the scope `wallets:read`.

        Args:
            refresh: Reads the balances without the cache. In live mode that means from the chain: fails with `network_unavailable` if it does not answer.
        """
        return await self._call("GET", f"/wallets/{path_segment(wallet_id)}/balance", "tenant", WalletBalances, options, query=given({"refresh": refresh}, {}))

    def activity(
        self,
        wallet_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[WalletActivity, WalletActivityList]:
        """List a wallet's activity.

        Returns the deposits, payments, refunds and freezes of the wallet, newest first. A payment between two wallets of the account is a payment of the one and a deposit of the other. Requires the scope `wallets:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/wallets/{path_segment(wallet_id)}/activity", "tenant", WalletActivityList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def fund(
        self,
        wallet_id: str,
        *,
        amount: Amount,
        token: Literal["USDC", "USDT", "PYUSD", "EURC"] | None = None,
        options: RequestOptions | None = None,
    ) -> WalletFunding:
        """Fund a test wallet.

        Adds test tokens to a test wallet. No blockchain is involved. Fails with `live_wallet` in live mode, and for a live wallet of the account. Fails with `wallet_frozen` if the wallet is frozen with mode `full`. Requires the scope `wallets:write`.

        Args:
            amount: The amount to add, greater than zero and at most 10,000. Never rounded.
            token: The token to add. Default: `USDC`.
        """
        return await self._call("POST", f"/wallets/{path_segment(wallet_id)}/fund", "tenant", WalletFunding, options, body=given({"amount": amount, "token": token}, {}))

    async def freeze(
        self,
        wallet_id: str,
        *,
        reason: Literal["compliance", "compliance_review", "suspected_compromise", "sanctions_match", "policy_violation", "anomaly", "user_request", "legal_order", "other"],
        note: str | None = None,
        reference: str | None = None,
        review_reference: str | None = None,
        expires_at: str | None = None,
        scope: Literal["wallet", "agent"] | None = None,
        mode: Literal["outgoing_only", "full"] | None = None,
        options: RequestOptions | None = None,
    ) -> None:
        """Freeze a wallet.

        Freezes the wallet: from the response on, no payment leaves it. Payments that wait for an approval or a capture are canceled. A frozen wallet remains as it is, unless the new freeze is stricter: `full` instead of `outgoing_only`, or by an admin. A key that is bound to an agent can freeze the agent's wallets, but cannot unfreeze them. Requires the scope `wallets:freeze`.

        Args:
            reason: Why the wallet is frozen.
            note: A note of up to 1000 characters. Required if `reason` is `other`.
            reference: A reference for the freeze, for example a case number.
            review_reference: Like `reference`, which takes precedence.
            expires_at: When the freeze should be reviewed. Must be in the future. The freeze does not end then.
            scope: `agent` freezes all wallets of the wallet's agent in this mode. Default: `wallet`.
            mode: `outgoing_only` refuses outgoing payments. `full` also refuses `fund` and incoming payments from wallets of the account. Default: `full`. A freeze by an admin is always `full`.
        """
        return await self._call("POST", f"/wallets/{path_segment(wallet_id)}/freeze", "tenant", None, options, body=given({"reason": reason, "note": note, "reference": reference, "review_reference": review_reference, "expires_at": expires_at, "scope": scope, "mode": mode}, {}))

    async def freeze_on_chain(
        self,
        wallet_id: str,
        *,
        reason: Literal["compliance", "compliance_review", "suspected_compromise", "sanctions_match", "policy_violation", "anomaly", "user_request", "legal_order", "other"],
        note: str | None = None,
        reference: str | None = None,
        review_reference: str | None = None,
        expires_at: str | None = None,
        scope: Literal["wallet", "agent"] | None = None,
        mode: Literal["outgoing_only", "full"] | None = None,
        options: RequestOptions | None = None,
    ) -> WalletFreezeReport:
        """Freeze a wallet on the chain.

        Freezes the wallet like `POST /wallets/{wallet_id}/freeze`, then its account on the chain, and returns a signed proof. Then the account executes nothing any more, also nothing that was signed before. An account that is not deployed is deployed frozen. Waits up to 20 seconds until a block contains the freeze. If it is still `pending` then, Purser continues, and `GET /wallets/{wallet_id}` shows the outcome. After 10 minutes it is `failed`; Purser goes on, and repeating the request gives it 10 more minutes. The wallet is frozen in Purser in any case. Test mode has no chain: the freeze of the account is `simulated`. Requires the scope `wallets:freeze`.

        Args:
            reason: Why the wallet is frozen.
            note: A note of up to 1000 characters. Required if `reason` is `other`.
            reference: A reference for the freeze, for example a case number.
            review_reference: Like `reference`, which takes precedence.
            expires_at: When the freeze should be reviewed. Must be in the future. The freeze does not end then.
            scope: `agent` freezes all wallets of the wallet's agent in this mode. Default: `wallet`.
            mode: `outgoing_only` refuses outgoing payments. `full` also refuses `fund` and incoming payments from wallets of the account. Default: `full`. A freeze by an admin is always `full`.
        """
        return await self._call("POST", f"/wallets/{path_segment(wallet_id)}/freeze-on-chain", "tenant", WalletFreezeReport, options, body=given({"reason": reason, "note": note, "reference": reference, "review_reference": review_reference, "expires_at": expires_at, "scope": scope, "mode": mode}, {}))

    async def unfreeze(
        self,
        wallet_id: str,
        *,
        reason: Literal["compliance", "compliance_review", "suspected_compromise", "sanctions_match", "policy_violation", "anomaly", "user_request", "legal_order", "other"] | None = None,
        note: str | None = None,
        reference: str | None = None,
        review_reference: str | None = None,
        options: RequestOptions | None = None,
    ) -> None:
        """Unfreeze a wallet.

        Lifts the developer's own freeze. Fails with `admin_review_required` if an admin froze the wallet. Keys that are bound to agents are refused. Does nothing if the wallet is not frozen. An account that is frozen on its chain is unfrozen there first. If that takes longer than 20 seconds, the response is 503 `network_unavailable`: the wallet has the status `unfreezing` and stays frozen, Purser goes on, and the request can be repeated to see the outcome. If the wallet's agent is not active, no payment leaves the wallet even then. Requires the scope `wallets:freeze`.

        Args:
            reason: Which reason no longer holds. It is stored with the history of freezes.
            note: A note that is stored with the history of freezes. Up to 1000 characters.
            reference: Like `review_reference`, which takes precedence.
            review_reference: A reference for the review, for example a case number.
        """
        return await self._call("POST", f"/wallets/{path_segment(wallet_id)}/unfreeze", "tenant", None, options, body=given({"reason": reason, "note": note, "reference": reference, "review_reference": review_reference}, {}))


class AsyncPaymentsResource(AsyncResource):
    async def send(
        self,
        *,
        agent_id: str | None = None,
        amount: Amount,
        token: str | None = None,
        network: Literal["ethereum", "eip155:1", "base", "eip155:8453", "arbitrum", "eip155:42161", "optimism", "eip155:10", "polygon", "eip155:137", "ethereum-sepolia", "eip155:11155111", "base-sepolia", "eip155:84532", "arbitrum-sepolia", "eip155:421614", "optimism-sepolia", "eip155:11155420", "polygon-amoy", "eip155:80002", "solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"] | None = None,
        wallet_id: str | None = None,
        to: str | PaymentSendRequestToParam,
        purpose: str | None = None,
        reference: str | None = None,
        execution: Literal["auto", "authorize_only"] | None = None,
        max_fee: Amount | None = None,
        expires_at: str | None = None,
        project_id: str | None = None,
        mandate: Any | None = None,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> Payment:
        """Send a payment.

        Pays from a wallet of the agent, under the agent's policies and the project's monthly cap. In test mode the payment is `confirmed` at once. In live mode it is `queued`, then `submitted` to its network, and `confirmed` when a final block contains it; one that the network does not execute ends `failed` or `dropped`, and costs nothing. With the execution `authorize_only` it is `authorized`. If a policy or the cap requires an approval, the response is 202 and nothing is reserved until a person approves. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`. A refusal makes no payment, and the same request stays refused. Live payments fail with `network_unavailable` while their network does not answer. Requires the scope `payments:write`.

        Args:
            agent_id: Default: the client's agent.
            amount: What the payee gets, greater than zero. Fees come on top. Up to the token's decimals; never rounded.
            token: A stablecoin of US dollars: `USDC`, `USDT` or `PYUSD`. Default: `USDC`.
            network: The network of the wallet, as a name such as `base` or as a CAIP-2 id. Required if the agent has wallets on several networks and `wallet_id` is missing.
            wallet_id: The wallet that pays. Default: the agent's wallet on `network`.
            to: The payee: an address, an agent's id (its wallet on the same network) or a wallet's id, as an object with `type` and `value` or as a string. Purser cannot pay `x402_url` and `merchant` yet. A wallet of the same account is paid at once.
            purpose: Why the agent pays. Shown to the person who approves the payment.
            reference: Your own reference.
            execution: `authorize_only` holds the amount until it is captured or voided. Default: `auto`.
            max_fee: The payment is refused if its fees are higher. It never lowers the amount. Test payments have no fees.
            expires_at: When the payment expires while it waits for an approval or a capture. In the future, and for `authorize_only` at most 7 days from now, which is the default.
            project_id: The project whose monthly cap the payment counts toward. Required if the agent belongs to several projects.
            mandate: Not supported in this version: 422.
            metadata: Up to 50 key-value pairs that you choose. Default: `{}`.
        """
        agent_id, options = self._acting(agent_id, options)
        return await self._call("POST", f"/payments/send", "signed", Payment, options, body=given({"agent_id": agent_id, "amount": amount, "token": token, "network": network, "wallet_id": wallet_id, "to": to, "purpose": purpose, "reference": reference, "execution": execution, "max_fee": max_fee, "expires_at": expires_at, "project_id": project_id, "mandate": mandate, "metadata": metadata}, {}))

    async def simulate(
        self,
        *,
        agent_id: str | None = None,
        amount: Amount,
        token: str | None = None,
        network: Literal["ethereum", "eip155:1", "base", "eip155:8453", "arbitrum", "eip155:42161", "optimism", "eip155:10", "polygon", "eip155:137", "ethereum-sepolia", "eip155:11155111", "base-sepolia", "eip155:84532", "arbitrum-sepolia", "eip155:421614", "optimism-sepolia", "eip155:11155420", "polygon-amoy", "eip155:80002", "solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"] | None = None,
        wallet_id: str | None = None,
        to: str | PaymentSendRequestToParam,
        purpose: str | None = None,
        reference: str | None = None,
        execution: Literal["auto", "authorize_only"] | None = None,
        max_fee: Amount | None = None,
        expires_at: str | None = None,
        project_id: str | None = None,
        mandate: Any | None = None,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> PaymentSimulation:
        """Simulate a payment.

        Returns what `POST /payments/send` would do with the same body: its fees, the decision of the policies, and the refusal if there is one. Changes nothing. Requires the scope `payments:write`.

        Args:
            agent_id: Default: the client's agent.
            amount: What the payee gets, greater than zero. Fees come on top. Up to the token's decimals; never rounded.
            token: A stablecoin of US dollars: `USDC`, `USDT` or `PYUSD`. Default: `USDC`.
            network: The network of the wallet, as a name such as `base` or as a CAIP-2 id. Required if the agent has wallets on several networks and `wallet_id` is missing.
            wallet_id: The wallet that pays. Default: the agent's wallet on `network`.
            to: The payee: an address, an agent's id (its wallet on the same network) or a wallet's id, as an object with `type` and `value` or as a string. Purser cannot pay `x402_url` and `merchant` yet. A wallet of the same account is paid at once.
            purpose: Why the agent pays. Shown to the person who approves the payment.
            reference: Your own reference.
            execution: `authorize_only` holds the amount until it is captured or voided. Default: `auto`.
            max_fee: The payment is refused if its fees are higher. It never lowers the amount. Test payments have no fees.
            expires_at: When the payment expires while it waits for an approval or a capture. In the future, and for `authorize_only` at most 7 days from now, which is the default.
            project_id: The project whose monthly cap the payment counts toward. Required if the agent belongs to several projects.
            mandate: Not supported in this version: 422.
            metadata: Up to 50 key-value pairs that you choose. Default: `{}`.
        """
        agent_id, options = self._acting(agent_id, options)
        return await self._call("POST", f"/payments/simulate", "signed", PaymentSimulation, options, body=given({"agent_id": agent_id, "amount": amount, "token": token, "network": network, "wallet_id": wallet_id, "to": to, "purpose": purpose, "reference": reference, "execution": execution, "max_fee": max_fee, "expires_at": expires_at, "project_id": project_id, "mandate": mandate, "metadata": metadata}, {}))

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["requires_approval", "approved", "queued", "signing", "submitted", "confirmed", "authorized", "captured", "voided", "denied", "rejected", "expired", "canceled", "failed", "dropped", "refunded", "partially_refunded"] | None = None,
        agent_id: str | None = None,
        wallet_id: str | None = None,
        project_id: str | None = None,
        reference: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Payment, PaymentList]:
        """List payments.

        Returns payments, newest first. A key that is bound to agents gets the payments that these agents made or received. Requires the scope `payments:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            status: Returns only payments that have this status now.
            agent_id: Returns only payments of this agent.
            wallet_id: Returns only payments from this wallet.
            project_id: Returns only payments that count toward the cap of this project.
            reference: Returns only payments with exactly this reference.
            created_after: Returns only payments created at this time or later.
            created_before: Returns only payments created before this time.
        """
        return self._pages(f"/payments", "tenant", PaymentList, options, query=given({"cursor": cursor, "limit": limit, "status": status, "agent_id": agent_id, "wallet_id": wallet_id, "project_id": project_id, "reference": reference, "created_after": created_after, "created_before": created_before}, {}))

    async def get(
        self,
        payment_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Payment:
        """Get a payment.

        Returns a payment. A key that is bound to agents can read the payments that these agents made or received. Requires the scope `payments:read`.
        """
        return await self._call("GET", f"/payments/{path_segment(payment_id)}", "tenant", Payment, options)

    async def capture(
        self,
        payment_id: str,
        *,
        amount: Amount | None = None,
        options: RequestOptions | None = None,
    ) -> Payment:
        """Capture an authorized payment.

        Pays the payee at most the amount that is held, once, and releases the rest. In live mode the payment is `queued`, and `captured` when a final block contains it. `X-Agent-ID` must name the agent that made the payment; only a dashboard session can leave it out. Fails with `agent_suspended` if the agent is not active, with `wallet_frozen` if its wallet is frozen, and with `conflict` unless the payment is `authorized`. An authorization has expired from the very second of `expires_at`. Requires the scope `payments:write`.

        Args:
            amount: The amount to pay: at most the payment's `amount`. Default: the whole amount.
        """
        return await self._call("POST", f"/payments/{path_segment(payment_id)}/capture", "tenant", Payment, options, body=given({"amount": amount}, {}))

    async def void(
        self,
        payment_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Payment:
        """Void an authorized payment.

        Releases everything that is held for the payment, also if its wallet is frozen. `X-Agent-ID` must name the agent that made the payment; only a dashboard session can leave it out. Fails with `conflict` unless the payment is `authorized`. Requires the scope `payments:write`.
        """
        return await self._call("POST", f"/payments/{path_segment(payment_id)}/void", "tenant", Payment, options, body=given({}, {}))

    async def refund(
        self,
        payment_id: str,
        *,
        amount: Amount | None = None,
        reason: str | None = None,
        options: RequestOptions | None = None,
    ) -> Payment:
        """Refund a payment.

        Moves an amount from the payee's wallet back to the wallet that paid. `X-Agent-ID` must name the agent that was paid; only a dashboard session can leave it out. Refunds never exceed what was paid. Fails with `not_refundable` in live mode, and unless the payee is a wallet of the same account and was paid, with `agent_suspended` if the payee's agent is not active, with `wallet_frozen` if the payee's wallet is frozen or the payer's accepts no money, and with `insufficient_funds` if the payee's wallet has too little. The project's spending falls if the payment counts in the current month. Limits of policies count the payment as before. Requires the scope `payments:write`.

        Args:
            amount: The amount to refund: at most what was paid and is not refunded yet. Default: all of that.
            reason: Why the payment is refunded, for the audit trail.
        """
        return await self._call("POST", f"/payments/{path_segment(payment_id)}/refund", "tenant", Payment, options, body=given({"amount": amount, "reason": reason}, {}))

    async def cancel(
        self,
        payment_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Payment:
        """Cancel a payment.

        Ends a payment that waits for an approval, a capture or its turn on a network, also if its wallet is frozen. Releases everything that is held for it, and cancels its pending approval. Fails with `conflict` unless the payment is `requires_approval`, `authorized` or `queued`. Requires the scope `payments:write`.
        """
        return await self._call("POST", f"/payments/{path_segment(payment_id)}/cancel", "tenant", Payment, options, body=given({}, {}))


class AsyncFiatResource(AsyncResource):
    def _create(self) -> None:
        self.accounts = AsyncFiatAccountsResource(*self._parts)
        self.conversions = AsyncFiatConversionsResource(*self._parts)

    async def link_account(
        self,
        *,
        account_holder_type: Literal["individual", "business"] | None = None,
        country_codes: Sequence[Literal["US"]] | None = None,
        language: Literal["en", "es", "fr"] | None = None,
        redirect_uri: str | None = None,
        account_subtypes: Sequence[Literal["checking", "savings"]] | None = None,
        account_id: str | None = None,
        verification_method: Literal["instant", "micro_deposit"] | None = None,
        webhook_ref: str | None = None,
        options: RequestOptions | None = None,
    ) -> LinkToken:
        """Start linking a bank account.

        Returns a token with which Plaid Link runs in a browser. There the user logs in at the bank and chooses an account. Send the public token that Plaid Link returns to verify-account. Ten tokens can be open; the oldest is dropped. Fails with `provider_not_configured` if this server has no Plaid account. Requires the scope `fiat:write`.

        Args:
            account_holder_type: Who holds the account. Default: `individual`.
            country_codes: The banks' country: only `US`.
            language: The language of Plaid's pages. Default: `en`.
            redirect_uri: The page to which a bank that logs in by OAuth sends the user back. It must be registered in Plaid's dashboard, and use https, or http with a loopback host.
            account_subtypes: The accounts that the user can choose. Default: both.
            account_id: An account to link again, whose status is `relink_required`. Only `language` and `redirect_uri` can be sent with it, and no verify-account follows.
            verification_method: `instant`: by a login at the bank. `micro_deposit`: by a small deposit, which takes days, for banks without such a login. Default: `instant`.
            webhook_ref: Your own reference, repeated in the events of the account.
        """
        return await self._call("POST", f"/fiat/link-account", "tenant", LinkToken, options, body=given({"account_holder_type": account_holder_type, "country_codes": country_codes, "language": language, "redirect_uri": redirect_uri, "account_subtypes": account_subtypes, "account_id": account_id, "verification_method": verification_method, "webhook_ref": webhook_ref}, {}))

    async def verify_account(
        self,
        *,
        public_token: str,
        account_id: str,
        institution_id: str | None = None,
        institution_name: str | None = None,
        account_holder: VerifyAccountRequestAccountHolderParam | None = None,
        consent_version: str | None = None,
        options: RequestOptions | None = None,
    ) -> VerifiedAccount:
        """Finish linking a bank account.

        Exchanges the public token of a link that this account has started, compares the owner's name, stores the personal data in a vault, and starts the identification of the holder. A public token makes one account. All accounts of a mode have one holder: otherwise fails with `conflict`. Fails with `bank_link_not_found` for the public token of no open link, and with `owner_mismatch` in `errors` if the bank knows the owner by another name; the user must then link again. After a 503 or another 422, the same request can be repeated or corrected within an hour. Requires the scope `fiat:write`.

        Args:
            public_token: The public token from Plaid Link.
            account_id: Plaid's id of the account that the user chose.
            institution_id: Ignored in favor of Plaid's.
            institution_name: Ignored in favor of Plaid's.
            account_holder: The holder. What is missing is read from the bank. Stored encrypted and apart from everything else, and never returned.
            consent_version: The version of the consent that the user gave you. Stored in the audit trail.
        """
        return await self._call("POST", f"/fiat/verify-account", "tenant", VerifiedAccount, options, body=given({"public_token": public_token, "account_id": account_id, "institution_id": institution_id, "institution_name": institution_name, "account_holder": account_holder, "consent_version": consent_version}, {}))

    async def rate(
        self,
        *,
        source: str | None = None,
        dest: str | None = None,
        options: RequestOptions | None = None,
    ) -> ExchangeRate:
        """Get an exchange rate.

        Returns what one unit of `source` is worth in `dest`. The pairs are `usdc`, `usdt` and `pyusd` with `usd`, and `usdc` with `eur`, `mxn`, `brl` and `gbp`, in both directions. Only `usd` can be converted; the other rates are for information. Fails with `unsupported_pair` for any other pair. Requires the scope `fiat:read`.

        Args:
            source: The source currency. Default: `usdc`.
            dest: The destination currency. Default: `usd`.
        """
        return await self._call("GET", f"/fiat/rate", "tenant", ExchangeRate, options, query=given({"source": source, "dest": dest}, {}))

    async def on_ramp(
        self,
        *,
        source_account_id: str,
        wallet_id: str | None = None,
        destination_address: str | None = None,
        network: Literal["ethereum", "eip155:1", "base", "eip155:8453", "arbitrum", "eip155:42161", "optimism", "eip155:10", "polygon", "eip155:137", "ethereum-sepolia", "eip155:11155111", "base-sepolia", "eip155:84532", "arbitrum-sepolia", "eip155:421614", "optimism-sepolia", "eip155:11155420", "polygon-amoy", "eip155:80002", "solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"] | None = None,
        payment_rail: str | None = None,
        amount: Amount,
        amount_type: Literal["source", "target"] | None = None,
        currency: str | None = None,
        token: str | None = None,
        project_id: str | None = None,
        quote_id: str | None = None,
        execute: bool | None = None,
        validate_only: bool | None = None,
        max_fee: Amount | None = None,
        external_reference_id: str | None = None,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> Conversion:
        """Convert dollars into USDC.

        Converts dollars that you send from a linked bank account into USDC in a wallet. Send the dollars as `deposit_instructions` says; the tokens arrive after the dollars. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`, then `conflict` if the bank account is not verified or its holder not approved. Policies decide only if an agent acts: with `X-Agent-ID`, or a key that is bound to agents. A rule that requires an approval refuses. Live conversions fail with `network_unavailable` for a wallet of a test network, and while its network cannot be used. Requires the scope `fiat:write`.

        Args:
            source_account_id: The bank account from which the dollars are sent.
            wallet_id: The wallet that gets the tokens.
            destination_address: The address of one of your wallets, with `network`.
            network: A network's name or CAIP-2 id, for example `base` or `eip155:8453`.
            payment_rail: `ach_push` (default) or `wire`: you send the dollars.
            amount: At most two decimals. The destination gets at least 1.00, and the source is at most 1,000,000.00.
            amount_type: Whether `amount` is what is converted, or what the destination gets. Default: `source`.
            currency: Only `usd`.
            token: Only `usdc`.
            project_id: The project of the wallet's agent. Required if the agent belongs to several.
            quote_id: Executes this quote. All other fields must be those with which it was requested.
            execute: With `false`, returns a quote that is valid for 30 seconds. Default: `true`.
            validate_only: With `true`, returns what would be converted, or the refusal, and stores nothing. Default: `false`.
            max_fee: The conversion is refused if its fees are higher.
            external_reference_id: Your own reference. Never sent to Bridge.
            metadata: Up to 50 key-value pairs that you choose. Default: `{}`.
        """
        return await self._call("POST", f"/fiat/on-ramp", "tenant", Conversion, options, body=given({"source_account_id": source_account_id, "wallet_id": wallet_id, "destination_address": destination_address, "network": network, "payment_rail": payment_rail, "amount": amount, "amount_type": amount_type, "currency": currency, "token": token, "project_id": project_id, "quote_id": quote_id, "execute": execute, "validate_only": validate_only, "max_fee": max_fee, "external_reference_id": external_reference_id, "metadata": metadata}, {}))

    async def off_ramp(
        self,
        *,
        wallet_id: str,
        destination_account_id: str,
        payment_rail: str | None = None,
        statement_descriptor: str | None = None,
        amount: Amount,
        amount_type: Literal["source", "target"] | None = None,
        currency: str | None = None,
        token: str | None = None,
        project_id: str | None = None,
        quote_id: str | None = None,
        execute: bool | None = None,
        validate_only: bool | None = None,
        max_fee: Amount | None = None,
        external_reference_id: str | None = None,
        metadata: dict[str, str] | None = None,
        options: RequestOptions | None = None,
    ) -> Conversion:
        """Convert USDC into dollars.

        Converts USDC of a wallet into dollars in a linked bank account. The tokens are held at once, and count toward the cap of the agent's project. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`, then `conflict` if the bank account is not verified or its holder not approved. Policies decide only if an agent acts: with `X-Agent-ID`, or a key that is bound to agents. A rule that requires an approval refuses. Live conversions fail with `network_unavailable` for a wallet of a test network, and while its network cannot be used. Requires the scope `fiat:write`.

        Args:
            wallet_id: The wallet whose tokens are converted.
            destination_account_id: The bank account that gets the dollars.
            payment_rail: `ach` (default), `ach_same_day` or `wire`.
            statement_descriptor: Shown on the recipient's statement. Only for ACH.
            amount: At most two decimals. The destination gets at least 1.00, and the source is at most 1,000,000.00.
            amount_type: Whether `amount` is what is converted, or what the destination gets. Default: `source`.
            currency: Only `usd`.
            token: Only `usdc`.
            project_id: The project of the wallet's agent. Required if the agent belongs to several.
            quote_id: Executes this quote. All other fields must be those with which it was requested.
            execute: With `false`, returns a quote that is valid for 30 seconds. Default: `true`.
            validate_only: With `true`, returns what would be converted, or the refusal, and stores nothing. Default: `false`.
            max_fee: The conversion is refused if its fees are higher.
            external_reference_id: Your own reference. Never sent to Bridge.
            metadata: Up to 50 key-value pairs that you choose. Default: `{}`.
        """
        return await self._call("POST", f"/fiat/off-ramp", "tenant", Conversion, options, body=given({"wallet_id": wallet_id, "destination_account_id": destination_account_id, "payment_rail": payment_rail, "statement_descriptor": statement_descriptor, "amount": amount, "amount_type": amount_type, "currency": currency, "token": token, "project_id": project_id, "quote_id": quote_id, "execute": execute, "validate_only": validate_only, "max_fee": max_fee, "external_reference_id": external_reference_id, "metadata": metadata}, {}))


class AsyncFiatAccountsResource(AsyncResource):
    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> FiatAccountList:
        """List bank accounts.

        Returns the linked bank accounts of the caller's mode, newest first, without personal data. Requires the scope `fiat:read`.
        """
        return await self._call("GET", f"/fiat/accounts", "tenant", FiatAccountList, options)

    async def get(
        self,
        account_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> FiatAccount:
        """Get a bank account.

        Returns a linked bank account without personal data. Requires the scope `fiat:read`.
        """
        return await self._call("GET", f"/fiat/accounts/{path_segment(account_id)}", "tenant", FiatAccount, options)

    async def remove(
        self,
        account_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> FiatAccount:
        """Unlink a bank account.

        Removes the account and destroys the personal data of its holder at once. Purser then ends the login at Plaid and removes the account at Bridge. Returns the account as `removed`; from then on it is not found. Requires the scope `fiat:write`.
        """
        return await self._call("DELETE", f"/fiat/accounts/{path_segment(account_id)}", "tenant", FiatAccount, options)


class AsyncFiatConversionsResource(AsyncResource):
    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["quoted", "awaiting_funds", "in_review", "funds_received", "payment_submitted", "completed", "undeliverable", "returned", "missing_return_policy", "refund_in_flight", "refunded", "refund_failed", "canceled", "expired", "failed"] | None = None,
        direction: Literal["on_ramp", "off_ramp"] | None = None,
        wallet_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Conversion, ConversionList]:
        """List conversions.

        Returns conversions and quotes of the caller's mode, newest first. A key that is bound to agents gets those of their wallets. Requires the scope `fiat:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            status: Returns only conversions with this status.
            wallet_id: Returns only conversions of this wallet.
            from_: Returns only conversions created at this time or later.
            to: Returns only conversions created before this time.
        """
        return self._pages(f"/fiat/conversions", "tenant", ConversionList, options, query=given({"cursor": cursor, "limit": limit, "status": status, "direction": direction, "wallet_id": wallet_id, "from": from_, "to": to}, {}))

    async def get(
        self,
        conversion_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Conversion:
        """Get a conversion.

        Returns a conversion. A key that is bound to agents can read those of their wallets. Requires the scope `fiat:read`.
        """
        return await self._call("GET", f"/fiat/conversions/{path_segment(conversion_id)}", "tenant", Conversion, options)

    async def execute(
        self,
        conversion_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Conversion:
        """Execute a quote.

        Executes a quote. Fails with `quote_expired` after its 30 seconds, and with `conflict` if it was executed. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`, then `conflict` if the bank account is not verified or its holder not approved. Policies decide only if an agent acts: with `X-Agent-ID`, or a key that is bound to agents. A rule that requires an approval refuses. Live conversions fail with `network_unavailable` for a wallet of a test network, and while its network cannot be used. Requires the scope `fiat:write`.
        """
        return await self._call("POST", f"/fiat/conversions/{path_segment(conversion_id)}/execute", "tenant", Conversion, options)

    async def cancel(
        self,
        conversion_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Conversion:
        """Cancel a conversion.

        Cancels a quote, an on-ramp whose dollars have not arrived, or an off-ramp whose tokens have not been sent. Otherwise fails with `conflict`. Requires the scope `fiat:write`.
        """
        return await self._call("POST", f"/fiat/conversions/{path_segment(conversion_id)}/cancel", "tenant", Conversion, options)


class AsyncApprovalsResource(parts.AsyncApprovalsPart):
    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["pending", "approved", "denied", "expired", "canceled"] | None = None,
        agent_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Approval, ApprovalList]:
        """List approvals.

        Returns approvals, newest first. A key that is bound to agents gets the approvals of what these agents requested. Requires the scope `approvals:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            status: Returns only approvals that have this status now.
            agent_id: Returns only approvals of what this agent requested.
        """
        return self._pages(f"/approvals", "tenant", ApprovalList, options, query=given({"cursor": cursor, "limit": limit, "status": status, "agent_id": agent_id}, {}))

    async def get(
        self,
        approval_id: str,
        *,
        wait_seconds: int | None = None,
        options: RequestOptions | None = None,
    ) -> Approval:
        """Get an approval.

        Returns an approval, with its `outcome` when it is no longer pending. With `wait_seconds`, a pending approval is returned as soon as it is decided, or unchanged after this time. At most 100 requests of an account can wait at the same time; others fail with 429 `rate_limited`. Requires the scope `approvals:read`.

        Args:
            wait_seconds: How long to wait for the decision. The response comes as soon as the approval is no longer pending. Default: 0.
        """
        return await self._call("GET", f"/approvals/{path_segment(approval_id)}", "tenant", Approval, options, query=given({"wait_seconds": wait_seconds}, {}))

    async def approve(
        self,
        approval_id: str,
        *,
        note: str | None = None,
        options: RequestOptions | None = None,
    ) -> Approval:
        """Approve a request.

        Approves what waits for this approval, which then continues. It is checked again, so it can still be refused: then its own status says why. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents. Fails with 409 `conflict` if the approval is no longer pending. Requires the scope `approvals:write`.

        Args:
            note: A note that is stored with the decision.
        """
        return await self._call("POST", f"/approvals/{path_segment(approval_id)}/approve", "tenant", Approval, options, body=given({"note": note}, {}))

    async def deny(
        self,
        approval_id: str,
        *,
        note: str | None = None,
        options: RequestOptions | None = None,
    ) -> Approval:
        """Deny a request.

        Denies what waits for this approval, which then ends. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents. Fails with 409 `conflict` if the approval is no longer pending. Requires the scope `approvals:write`.

        Args:
            note: A note that is stored with the decision.
        """
        return await self._call("POST", f"/approvals/{path_segment(approval_id)}/deny", "tenant", Approval, options, body=given({"note": note}, {}))


class AsyncKillSwitchResource(AsyncResource):
    async def trigger(
        self,
        *,
        scope: Literal["agent", "project", "developer"],
        id: str,
        reason: str,
        onchain: bool | None = None,
        rotate_env: bool | None = None,
        options: RequestOptions | None = None,
    ) -> KillSwitch:
        """Trigger a kill switch.

        Stops an agent, a project or all of the developer's account, in the caller's mode: suspends agents, freezes wallets, cancels what waits for an approval, suspends projects, whose environments can then not be pulled, and revokes API keys, the calling key last. Nothing is created below the target meanwhile. Waits up to 20 seconds. If the status is then still `running`, Purser continues, and `GET` returns the result. The same target again gets the kill switch that is running. Undo it by resuming agents, unfreezing wallets and setting the project's `status`. Fails with `agent_not_found`, `project_not_found`, `developer_not_found`, and with `conflict` after 10 kill switches with the same API key in an hour; with scope `developer` the call then returns the last one of that hour. Dashboard sessions have no limit. Requires the scope `kill_switch:write`.

        Args:
            scope: What is killed, with everything below it.
            id: The id of the agent, the project or the developer.
            reason: Why, for the audit trail and the freezes. Up to 500 characters.
            onchain: Whether to freeze the wallets on their chains too. Simulated in test mode; in live mode, reconcile to see the outcome. Default: true.
            rotate_env: Whether to rotate the credentials of services that the target could read. Reconcile to see when that is done. Default: true.
        """
        return await self._call("POST", f"/kill-switch", "tenant", KillSwitch, options, body=given({"scope": scope, "id": id, "reason": reason, "onchain": onchain, "rotate_env": rotate_env}, {}))

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[KillSwitchSummary, KillSwitchSummaryList]:
        """List kill switches.

        Returns the kill switches in the caller's mode, newest first, with the numbers of their targets.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/kill-switch", "tenant", KillSwitchSummaryList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def get(
        self,
        kill_switch_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> KillSwitch:
        """Get a kill switch.

        Returns a kill switch with its report and its proof.
        """
        return await self._call("GET", f"/kill-switch/{path_segment(kill_switch_id)}", "tenant", KillSwitch, options)

    async def reconcile(
        self,
        kill_switch_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> KillSwitch:
        """Reconcile a kill switch.

        Runs a kill switch again: kills what is not dead, also what was created or resumed since, and reports anew. Returns a kill switch that is running as it is. Fails with `conflict` while another kill switch of the same target is running. Requires the scope `kill_switch:write`.
        """
        return await self._call("POST", f"/kill-switch/{path_segment(kill_switch_id)}/reconcile", "tenant", KillSwitch, options)


class AsyncEventsResource(parts.AsyncEventsPart):
    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        type: EventTypePattern | None = None,
        subject_id: str | None = None,
        project_id: str | None = None,
        agent_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Event, EventList]:
        """List events.

        Returns the events of the last 30 days, newest first. With `after`, returns the events after that one, oldest first: a program that polls sends the id of the last event that it has. With a filter or long events, a page can have few or no events even if `has_more` is true. Requires the scope `events:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            after: The id of an event. Returns the events after it, oldest first.
            type: An event type such as `payment.confirmed`, all types of a subject such as `payment.*`, or `*` for all.
            subject_id: Returns only events of the subject with this id.
            project_id: Returns only events of this project, and of what belongs to it.
            agent_id: Returns only events of this agent, of what belongs to it, and of what it did.
        """
        return self._pages(f"/events", "tenant", EventList, options, query=given({"cursor": cursor, "limit": limit, "after": after, "type": type, "subject_id": subject_id, "project_id": project_id, "agent_id": agent_id}, {}))

    async def get(
        self,
        event_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Event:
        """Get an event.

        Returns an event of the last 30 days. Requires the scope `events:read`.
        """
        return await self._call("GET", f"/events/{path_segment(event_id)}", "tenant", Event, options)


class AsyncWebhooksResource(parts.AsyncWebhooksPart):
    async def create(
        self,
        *,
        url: str,
        event_types: Sequence[EventTypePattern],
        description: str | None | NotGiven = NOT_GIVEN,
        project_ids: Sequence[str] | None = None,
        agent_ids: Sequence[str] | None = None,
        enabled: bool | None = None,
        options: RequestOptions | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook.

        Sends the events of the mode from now on to a URL, signed as Standard Webhooks 1.0 says. The secret is returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. Requires the scope `webhooks:write`.

        Args:
            url: Where events are sent: an https URL without a user name, whose host has only public addresses. Redirects are not followed.
            event_types: The events to send: types, all types of a subject such as `payment.*`, or `*` for all.
            description: A note.
            project_ids: Sends only events of these projects, and of what belongs to them. Default: all.
            agent_ids: Sends only events of these agents, of what belongs to them, and of what they did. Default: all.
            enabled: Whether events are sent. Default: true.
        """
        return await self._call("POST", f"/webhooks", "tenant", WebhookWithSecret, options, body=given({"url": url, "event_types": event_types, "project_ids": project_ids, "agent_ids": agent_ids, "enabled": enabled}, {"description": description}))

    def list(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Webhook, WebhookList]:
        """List webhooks.

        Returns the webhooks of the mode, newest first. Requires the scope `webhooks:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
        """
        return self._pages(f"/webhooks", "tenant", WebhookList, options, query=given({"cursor": cursor, "limit": limit}, {}))

    async def get(
        self,
        webhook_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Get a webhook.

        Returns a webhook, and whether it fails. Requires the scope `webhooks:read`.
        """
        return await self._call("GET", f"/webhooks/{path_segment(webhook_id)}", "tenant", Webhook, options)

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        event_types: Sequence[EventTypePattern] | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        project_ids: Sequence[str] | None = None,
        agent_ids: Sequence[str] | None = None,
        enabled: bool | None = None,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Update a webhook.

        Changes the fields that are sent. A webhook that is disabled gives up what it waits for. One that is enabled again gets the events from now on; replay those that it has missed. Requires the scope `webhooks:write`.

        Args:
            url: Where events are sent: an https URL without a user name, whose host has only public addresses. Redirects are not followed.
            event_types: The events to send: types, all types of a subject such as `payment.*`, or `*` for all.
            description: A note.
            project_ids: Sends only events of these projects, and of what belongs to them. Default: all.
            agent_ids: Sends only events of these agents, of what belongs to them, and of what they did. Default: all.
            enabled: Whether events are sent. Default: true.
        """
        return await self._call("PATCH", f"/webhooks/{path_segment(webhook_id)}", "tenant", Webhook, options, body=given({"url": url, "event_types": event_types, "project_ids": project_ids, "agent_ids": agent_ids, "enabled": enabled}, {"description": description}))

    async def delete(
        self,
        webhook_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Delete a webhook.

        Deletes a webhook, its secrets and its deliveries. What waits is not delivered. Requires the scope `webhooks:write`.
        """
        return await self._call("DELETE", f"/webhooks/{path_segment(webhook_id)}", "tenant", Webhook, options)

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookWithSecret:
        """Rotate a webhook's secret.

        Returns a new secret. For 24 hours, deliveries are signed with the new secret and with the one before it; a secret older than these two stops working immediately. Requires the scope `webhooks:write`.
        """
        return await self._call("POST", f"/webhooks/{path_segment(webhook_id)}/rotate-secret", "tenant", WebhookWithSecret, options)

    async def test(
        self,
        webhook_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookDelivery:
        """Send a test event.

        Sends the event `webhook.test` once, also to a disabled webhook, and returns what the server answered. The event is not in the event log, and the delivery is not in the list of deliveries. Requires the scope `webhooks:write`.
        """
        return await self._call("POST", f"/webhooks/{path_segment(webhook_id)}/test", "tenant", WebhookDelivery, options)

    async def replay(
        self,
        webhook_id: str,
        *,
        since: str | None = None,
        event_ids: Sequence[str] | None = None,
        options: RequestOptions | None = None,
    ) -> WebhookReplay:
        """Replay events.

        Delivers events of the last 30 days again: either all `since` a time, in their order, or those in `event_ids`. Fails with `conflict` if the webhook is disabled. Requires the scope `webhooks:write`.

        Args:
            since: Delivers again all events since this time that the webhook wants.
            event_ids: Delivers these events again, whatever the webhook wants.
        """
        return await self._call("POST", f"/webhooks/{path_segment(webhook_id)}/replay", "tenant", WebhookReplay, options, body=given({"since": since, "event_ids": event_ids}, {}))

    def deliveries(
        self,
        webhook_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["pending", "delivered", "failed"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncPages[WebhookDelivery, WebhookDeliveryList]:
        """List deliveries.

        Returns the deliveries of the last 30 days, those of the newest events first, each with its last attempt and the start of the answer. Requires the scope `webhooks:read`.

        Args:
            cursor: The `next_cursor` of the previous page.
            limit: Maximum number of items per page. Default: 20.
            status: Returns only deliveries that have this status now.
        """
        return self._pages(f"/webhooks/{path_segment(webhook_id)}/deliveries", "tenant", WebhookDeliveryList, options, query=given({"cursor": cursor, "limit": limit, "status": status}, {}))


class AsyncAdminResource(AsyncResource):
    async def log_in(
        self,
        *,
        email: str,
        password: str,
        options: RequestOptions | None = None,
    ) -> AdminLoginChallenge:
        """Start an admin login.

        The first step of an admin login. Returns a token for `POST /admin/login/totp`, which expires after five minutes or five attempts. Fails with `rate_limited` after five unfinished logins within 15 minutes for one email address from one network.

        Args:
            email: An email address. Stored in lowercase, with an international domain as Punycode.
            password: 12 to 128 characters after Unicode NFC normalization. NUL is not allowed.
        """
        return await self._call("POST", f"/admin/login", "public", AdminLoginChallenge, options, body=given({"email": email, "password": password}, {}))

    async def finish_login(
        self,
        *,
        mfa_token: str,
        code: str,
        options: RequestOptions | None = None,
    ) -> AdminSession:
        """Complete an admin login.

        The second step of an admin login. Returns an access token in the body and, for browsers, in an HttpOnly cookie. The token is valid for ten minutes and cannot be refreshed. Each code is valid once. Fails with `rate_limited` after 20 wrong codes within one hour.

        Args:
            mfa_token: The `mfa_token` returned by `POST /admin/login`.
            code: The TOTP code: six digits.
        """
        return await self._call("POST", f"/admin/login/totp", "public", AdminSession, options, body=given({"mfa_token": mfa_token, "code": code}, {}))

    async def log_out(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Log out as an admin.

        Ends the session that the access token belongs to and clears the cookie. The response is the same for valid, expired and unknown tokens.
        """
        return await self._call("POST", f"/admin/logout", "public", None, options)
