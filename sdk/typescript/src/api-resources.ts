// Generated from openapi/openapi.json by `npm run generate`. Do not edit.
import type { ApiPromise } from "./api-promise.ts";
import type {
  AddServiceRequest,
  AdminLoginChallenge,
  AdminLoginRequest,
  AdminSession,
  AdminTotpRequest,
  Agent,
  AgentBudgets,
  AgentCreateRequest,
  AgentList,
  AgentStatusRequest,
  AgentUpdateRequest,
  AgentWallets,
  ApiKey,
  ApiKeyList,
  Approval,
  ApprovalList,
  AuditCheckpoint,
  AuditCheckpointList,
  AuditEntry,
  AuditEntryList,
  AuditVerification,
  AuthFailure,
  AuthFailureList,
  Backtest,
  Captcha,
  CapturePaymentRequest,
  Catalog,
  CatalogProvider,
  Charge,
  ChargeList,
  Conversion,
  ConversionList,
  CreateAgentKeyRequest,
  CreateApiKeyRequest,
  CreateWebhookRequest,
  DashboardOverview,
  DashboardSession,
  DashboardSessionList,
  DecideApprovalRequest,
  DeepLink,
  DeletedVariable,
  Developer,
  DeveloperLoginRequest,
  DeveloperRegisterRequest,
  DeviceApprovalRequest,
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  DeviceLogin,
  DeviceToken,
  DeviceTokenRequest,
  EmailedKeyRevocationRequest,
  EmailedToken,
  EmailedTokenRequest,
  Event,
  EventList,
  EventTypePattern,
  ExchangeRate,
  FiatAccount,
  FiatAccountList,
  FinishedLink,
  GitHubAuthorization,
  GitHubOAuthRequest,
  GoogleOAuthRequest,
  IdentityList,
  IdentityLoginResult,
  Invoice,
  InvoiceList,
  IssuedApiKey,
  KillSwitch,
  KillSwitchRequest,
  KillSwitchSummary,
  KillSwitchSummaryList,
  KyaToken,
  KybCase,
  KybCaseRequest,
  Link,
  LinkAccountRequest,
  LinkList,
  LinkProviderRequest,
  LinkToken,
  LoggedRequest,
  LoggedRequestList,
  LoginOptions,
  LoginProofRequest,
  LoginResult,
  LogoutRequest,
  OffRampRequest,
  OnRampRequest,
  PasswordForgotRequest,
  PasswordReset,
  PasswordResetRequest,
  Payment,
  PaymentList,
  PaymentMethodAttachRequest,
  PaymentMethodAttachment,
  PaymentOrSimulation,
  PaymentSendRequest,
  PaymentSimulation,
  PendingDeviceLogin,
  Policy,
  PolicyBacktestRequest,
  PolicyCreateRequest,
  PolicyEvaluateRequest,
  PolicyEvaluation,
  PolicyList,
  PolicyRollbackRequest,
  PolicyUpdateRequest,
  Project,
  ProjectCreateRequest,
  ProjectDeletion,
  ProjectDeletionPreview,
  ProjectList,
  ProjectOverview,
  ProjectUpdateRequest,
  ProviderKeyRequest,
  ProviderKeys,
  ProviderKeysList,
  RecoveryCodes,
  RefreshSessionRequest,
  RefundPaymentRequest,
  RegisteredDeveloper,
  RemovedProviderKeys,
  ReplayWebhookRequest,
  RequestedPasswordReset,
  ResendVerificationRequest,
  ResentVerification,
  RevokedApiKey,
  RevokedKeys,
  RotateApiKeyRequest,
  RotateServiceRequest,
  RotatedAccountPair,
  RotatedApiKey,
  SecondFactorLoginRequest,
  Service,
  ServiceAddition,
  ServiceList,
  ServiceRemoval,
  ServiceRotation,
  ServiceUpgrade,
  Session,
  Signup,
  SignupRequest,
  TestSignature,
  TestSignatureRequest,
  TotpConfirmRequest,
  TotpDisableRequest,
  TotpEnrollment,
  UpdateDashboardProfileRequest,
  UpdateWebhookRequest,
  UpgradeServiceRequest,
  Variable,
  VariableList,
  VariableSetRequest,
  VerifiedAccount,
  VerifiedEmail,
  VerifyAccountRequest,
  VerifyEmailRequest,
  Wallet,
  WalletActivity,
  WalletActivityList,
  WalletBalances,
  WalletCreateRequest,
  WalletFreezeReport,
  WalletFreezeRequest,
  WalletFundRequest,
  WalletFunding,
  WalletList,
  WalletUnfreezeRequest,
  WalletUpdateRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookReplay,
  WebhookWithSecret,
} from "./api-types.ts";
import type { PagePromise } from "./paging.ts";
import { path } from "./path.ts";
import { Resource } from "./resource.ts";
import { ProjectEnv } from "./resources/project-env.ts";
import { ProjectOperations } from "./resources/operations.ts";
import type { RequestOptions } from "./transport.ts";

export class DeveloperKyb extends Resource {
  /**
   * Begins the verification of your business (KYB), which live money needs. Sets `status` to `pending` until an admin
   * decides. While it is pending, the call replaces the data; after `rejected`, `revoked` or `expired` it begins again.
   * Fails with `conflict` if the business is verified.
   */
  submit(body: KybCaseRequest, options?: RequestOptions): ApiPromise<KybCase> {
    return this.request({ method: "POST", path: "/developers/dashboard/kyb", access: "dashboard", body }, options);
  }

  /**
   * Returns your KYB case. Its status is `none` until you send the data of your business.
   */
  get(options?: RequestOptions): ApiPromise<KybCase> {
    return this.request({ method: "GET", path: "/developers/dashboard/kyb", access: "dashboard" }, options);
  }
}

export class DeveloperEmailedTokens extends Resource {
  /**
   * Returns what a token from an email is for, without using it. It is a POST so that the token is in no URL. Fails
   * with `invalid_token` if the token is unknown, used or expired, or has another purpose. A `verify_email` token of an
   * address that is verified already can still be read.
   */
  read(body: EmailedTokenRequest, options?: RequestOptions): ApiPromise<EmailedToken> {
    return this.request({ method: "POST", path: "/developers/emailed-tokens", access: "public", body }, options);
  }

  /**
   * Revokes all API keys of the account with the token from the email that lists them. The token is valid once, for 7
   * days. Fails with `invalid_token` for an invalid token.
   */
  revokeKeys(body: EmailedKeyRevocationRequest, options?: RequestOptions): ApiPromise<RevokedKeys> {
    return this.request({ method: "POST", path: "/developers/emailed-tokens/revoke-keys", access: "public", body }, options);
  }
}

export interface ListAuthFailuresQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export interface ListRequestsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * Only requests with this API key.
   */
  readonly key_id?: string;
  /**
   * 
   */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * Only responses with this status, for example `422`, or of this class, for example `4xx`.
   */
  readonly status?: string;
  /**
   * Only requests to this endpoint, for example `/api/v1/svc/projects/{project_id}/env`.
   */
  readonly path?: string;
}

export interface ListApiKeysQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class DeveloperKeys extends Resource {
  /**
   * Returns the reasons why requests with the developer's keys, and requests with a dashboard token but without
   * `X-Svc-Mode`, were rejected with 401, newest first. The 401 response itself never states the reason. Requests with
   * the same key, reason and network within one minute are grouped into one item. Test keys can list failures of test
   * keys only; live keys and dashboard sessions can list failures in both modes. Items are stored for 30 days. Requires
   * the scope `keys:read`.
   */
  authFailures(query: ListAuthFailuresQuery = {}, options?: RequestOptions): PagePromise<AuthFailure, AuthFailureList> {
    return this.pages({ method: "GET", path: "/developers/me/auth-failures", access: "tenant", query }, options);
  }

  /**
   * Returns the requests that were authenticated with the developer's keys, newest first, also those that failed after
   * that. The log has no bodies, queries or values of paths. It has the newest 10,000 requests of each key from the
   * last 30 days, of which a call without `key_id` searches the account's newest 100,000, and is written about a second
   * after each response; under load, requests can be missing. Test keys can list requests of test keys only; live keys
   * and dashboard sessions can list requests in both modes. Requires the scope `keys:read`.
   */
  requests(query: ListRequestsQuery = {}, options?: RequestOptions): PagePromise<LoggedRequest, LoggedRequestList> {
    return this.pages({ method: "GET", path: "/developers/me/requests", access: "tenant", query }, options);
  }

  /**
   * Returns the developer's keys, newest first. The first page contains all keys that are not revoked and up to `limit`
   * revoked keys; the following pages contain only revoked keys. Live keys and dashboard sessions can list keys of both
   * modes. Test keys can list only test keys. Requires the scope `keys:read`.
   */
  list(query: ListApiKeysQuery = {}, options?: RequestOptions): PagePromise<ApiKey, ApiKeyList> {
    return this.pages({ method: "GET", path: "/developers/me/keys", access: "tenant", query }, options);
  }

  /**
   * Creates a key pair. By default, the new key has the restrictions of the calling key and most of its scopes (see
   * `scopes`). For a dashboard session, the defaults are those of a key with all scopes and no restrictions. Fails with
   * `insufficient_scope` if the new key would have more permissions than the caller. The key and its secret are
   * returned only in this response. If you lose the response, a retry with the same `Idempotency-Key` fails with
   * `secret_already_issued`: revoke the key and create another. Fails with `conflict` if the account already has 100
   * active keys. Requires the scope `keys:write`.
   */
  issue(body: CreateApiKeyRequest, options?: RequestOptions): ApiPromise<IssuedApiKey> {
    return this.request({ method: "POST", path: "/developers/me/keys", access: "tenant", body }, options);
  }

  /**
   * Revokes the key, which stops working immediately. If the key replaced another key that is still in its grace
   * period, that key is revoked too. Revoking a revoked key changes nothing. `warnings` contains `last_live_key` if no
   * live key is left. Fails with `api_key_not_found` for an unknown key. Requires the scope `keys:write`.
   */
  revoke(keyId: string, options?: RequestOptions): ApiPromise<RevokedApiKey> {
    return this.request({ method: "DELETE", path: path`/developers/me/keys/${keyId}`, access: "tenant" }, options);
  }

  /**
   * Replaces a key with a new one that has the same permissions. The new key and its secret are returned only in this
   * response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. The old key works until its
   * grace period ends. If the old key had itself replaced another key, that key stops working immediately. An Ed25519
   * key keeps its public key unless you send a new one, which is required if `reason` is `compromised`. Fails with
   * `conflict` if the key is not active or was already replaced, and with `insufficient_scope` if the key has more
   * permissions than the caller. Requires the scope `keys:write`.
   */
  rotate(keyId: string, body: RotateApiKeyRequest = {}, options?: RequestOptions): ApiPromise<RotatedApiKey> {
    return this.request({ method: "POST", path: path`/developers/me/keys/${keyId}/rotate`, access: "tenant", body }, options);
  }

  /**
   * Replaces the account's own key pair in the mode of `X-Svc-Mode` (default: `live`). This is the pair that `POST
   * /developers/register` creates. If the account has no such pair in this mode, creates one. The old pair stops
   * working immediately. Other keys are unchanged. The new pair always has a secret, even if it replaces an Ed25519
   * key. The key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with
   * `secret_already_issued`.
   */
  rotateAccountPair(options?: RequestOptions): ApiPromise<RotatedAccountPair> {
    return this.request({ method: "POST", path: "/developers/rotate-key", access: "dashboard" }, options);
  }

  /**
   * Returns the canonical string of a request, which is the text that its signature must cover. Use it to find out why
   * a signature is rejected. Available for test keys only; fails with `api_key_not_found` for other keys. Never returns
   * a signature or a secret. Requires the scope `keys:read`.
   */
  testSignature(keyId: string, body: TestSignatureRequest, options?: RequestOptions): ApiPromise<TestSignature> {
    return this.request({ method: "POST", path: path`/developers/me/keys/${keyId}/test-signature`, access: "tenant", body }, options);
  }
}

export interface GetPendingDeviceQuery {
  /**
   * The code shown on the device, in uppercase or lowercase.
   */
  readonly user_code: string;
}

export class DeveloperDevices extends Resource {
  /**
   * Starts a login for a program without a browser (RFC 8628). Show `user_code` and `verification_uri` to the user,
   * then poll `POST /developers/oauth/device/token`. The codes expire after ten minutes. Fails with `rate_limited`
   * after ten calls per minute from one network.
   */
  begin(body: DeviceAuthorizationRequest = {}, options?: RequestOptions): ApiPromise<DeviceAuthorization> {
    return this.request({ method: "POST", path: "/developers/oauth/device", access: "public", body }, options);
  }

  /**
   * Returns the key pair of an approved device. The key pair is returned only once. If it cannot be returned, the
   * response is 400 with an RFC 8628 error code in `code` and `error`. `authorization_pending`: no decision yet.
   * `slow_down`: the device polls too often, and the interval is now five seconds longer. `access_denied`: the device
   * was denied. `expired_token`: the code expired after ten minutes. `invalid_grant`: the code is unknown or already
   * used.
   */
  collect(body: DeviceTokenRequest, options?: RequestOptions): ApiPromise<DeviceToken> {
    return this.request({ method: "POST", path: "/developers/oauth/device/token", access: "public", body }, options);
  }

  /**
   * Returns the device login that waits with this code, to decide with `POST /developers/oauth/device/approve`. Fails
   * with `validation_error` if `user_code` is unknown, expired, or already approved or denied, and with `rate_limited`
   * after five wrong codes within 15 minutes, counted together with those of that call.
   */
  get(query: GetPendingDeviceQuery, options?: RequestOptions): ApiPromise<PendingDeviceLogin> {
    return this.request({ method: "GET", path: "/developers/dashboard/device", access: "dashboard", query }, options);
  }

  /**
   * Approves or denies a device. Approving creates a key pair in the mode of `X-Svc-Mode` (default: `live`), which only
   * the device can fetch. Approving requires a login within the last 15 minutes, or the field `password` or
   * `totp_code`. Without one of these, the call fails with `reauthentication_required`. Fails with `validation_error`
   * if `user_code` is unknown, expired, or already approved or denied, and with `rate_limited` after five wrong codes
   * within 15 minutes.
   */
  decide(body: DeviceApprovalRequest, options?: RequestOptions): ApiPromise<DeviceLogin> {
    return this.request({ method: "POST", path: "/developers/oauth/device/approve", access: "dashboard", body }, options);
  }
}

export class DeveloperIdentities extends Resource {
  /**
   * Completes a GitHub login with the code from GitHub's redirect. The first login with a GitHub account requires an
   * email address that GitHub has verified. If a Purser account has this address, the GitHub account is linked to it.
   * If none has it, a Purser account is created. If ownership of the existing Purser account was never confirmed (see
   * `POST /developers/password/reset`), its password, sessions, second factor and other linked identities are removed.
   * If, in addition, its email address was not verified, its API keys are revoked. Fails with `invalid_state` if the
   * `state` is unknown, used, expired or belongs to another browser; with `authentication_failed` if GitHub rejects the
   * code or has not verified the email address; with `conflict` if the Purser account is already linked to another
   * GitHub account; and with `provider_unavailable` if GitHub cannot be reached.
   */
  logInWithGitHub(body: GitHubOAuthRequest, options?: RequestOptions): ApiPromise<IdentityLoginResult> {
    return this.request({ method: "POST", path: "/developers/oauth/github", access: "public", body }, options);
  }

  /**
   * Returns a `state` and the GitHub URL to open in the browser, and sets a cookie. The `state` is valid once, for ten
   * minutes, and only with the cookie: a program must send the cookie to `POST /developers/oauth/github`. Fails with
   * `rate_limited` after 30 calls per minute from one network, and with `not_found` if GitHub login is not configured.
   */
  beginGitHubLogin(options?: RequestOptions): ApiPromise<GitHubAuthorization> {
    return this.request({ method: "POST", path: "/developers/oauth/github/state", access: "public" }, options);
  }

  /**
   * Logs in with a Google ID token. Each token can be used once. The first login with a Google account requires an
   * email address that Google has verified. If a Purser account has this address, the Google account is linked to it.
   * If none has it, a Purser account is created. If ownership of the existing Purser account was never confirmed (see
   * `POST /developers/password/reset`), its password, sessions, second factor and other linked identities are removed.
   * If, in addition, its email address was not verified, its API keys are revoked. Fails with `authentication_failed`
   * if the token is invalid or Google has not verified the email address, with `conflict` if the Purser account is
   * already linked to another Google account, with `provider_unavailable` if Google's keys cannot be fetched, and with
   * `not_found` if Google login is not configured.
   */
  logInWithGoogle(body: GoogleOAuthRequest, options?: RequestOptions): ApiPromise<IdentityLoginResult> {
    return this.request({ method: "POST", path: "/developers/oauth/google", access: "public", body }, options);
  }

  /**
   * Returns the GitHub and Google accounts with which the developer can log in, ordered by provider.
   */
  list(options?: RequestOptions): ApiPromise<IdentityList> {
    return this.request({ method: "GET", path: "/developers/dashboard/identities", access: "dashboard" }, options);
  }

  /**
   * Unlinks a GitHub or Google account. The developer can no longer log in with it. Requires a login within the last 15
   * minutes, or the field `password` or `totp_code`. Without one of these, the call fails with
   * `reauthentication_required`. Fails with `conflict` if it is the developer's only way to log in, and with
   * `identity_not_found` if no account of this provider is linked.
   */
  unlink(provider: string, body: LoginProofRequest = {}, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "DELETE", path: path`/developers/dashboard/identities/${provider}`, access: "dashboard", body }, options);
  }
}

export interface ListSessionsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class DeveloperSessions extends Resource {
  /**
   * Returns the developer's valid dashboard sessions, newest first.
   */
  list(query: ListSessionsQuery = {}, options?: RequestOptions): PagePromise<DashboardSession, DashboardSessionList> {
    return this.pages({ method: "GET", path: "/developers/dashboard/sessions", access: "dashboard", query }, options);
  }

  /**
   * Ends a session. Its tokens stop working immediately. The calling session can end itself. Fails with
   * `session_not_found` if the session has already ended.
   */
  end(sessionId: string, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "DELETE", path: path`/developers/dashboard/sessions/${sessionId}`, access: "dashboard" }, options);
  }
}

export class DeveloperSecondFactor extends Resource {
  /**
   * Creates a secret for an authenticator app and returns it once. Logins do not require a code until the secret is
   * confirmed. A second call replaces an unconfirmed secret. Requires a login within the last 15 minutes, or the field
   * `password`. Without one of these, the call fails with `reauthentication_required`. Fails with `already_exists` if
   * the account has a second factor.
   */
  begin(body: LoginProofRequest = {}, options?: RequestOptions): ApiPromise<TotpEnrollment> {
    return this.request({ method: "POST", path: "/developers/dashboard/mfa/totp", access: "dashboard", body }, options);
  }

  /**
   * Enables the second factor with the first code from the authenticator app. Returns ten recovery codes, which are not
   * shown again. Existing sessions continue. Requires a login within the last 15 minutes, or the field `password`.
   * Without one of these, the call fails with `reauthentication_required`. Fails with `conflict` if no secret is
   * waiting for confirmation, and with `validation_error` for a wrong code.
   */
  confirm(body: TotpConfirmRequest, options?: RequestOptions): ApiPromise<RecoveryCodes> {
    return this.request({ method: "POST", path: "/developers/dashboard/mfa/totp/confirm", access: "dashboard", body }, options);
  }

  /**
   * Disables the second factor and deletes its secret and recovery codes. Requires a code from the authenticator app or
   * a recovery code. Fails with `conflict` if the account has no second factor, with `validation_error` for a wrong
   * code, and with `rate_limited` after 20 TOTP codes within one hour.
   */
  disable(body: TotpDisableRequest, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "POST", path: "/developers/dashboard/mfa/totp/disable", access: "dashboard", body }, options);
  }
}

export class DeveloperProviderKeys extends Resource {
  /**
   * Returns all five providers with the metadata of the keys that are saved for them in the caller's mode. `configured`
   * is false if no keys are saved for a provider. The keys themselves are never returned. Requires the scope
   * `provider_keys:read`.
   */
  list(options?: RequestOptions): ApiPromise<ProviderKeysList> {
    return this.request({ method: "GET", path: "/developers/provider-keys", access: "tenant" }, options);
  }

  /**
   * Saves the developer's own keys for a provider, which is a vendor such as `helius`. There is one set of keys per
   * provider and mode. A new set replaces the current one. The keys are encrypted and never returned. With `verify:
   * required`, the call fails with `validation_error` if the vendor rejects the keys and with `provider_unavailable` if
   * the vendor does not respond. Requires the scope `provider_keys:write`.
   */
  save(provider: string, body: ProviderKeyRequest, options?: RequestOptions): ApiPromise<ProviderKeys> {
    return this.request({ method: "PUT", path: path`/developers/provider-keys/${provider}`, access: "tenant", body }, options);
  }

  /**
   * Deletes the keys saved for a provider in the caller's mode. If no keys are saved, nothing changes and `deleted_at`
   * is null. Requires the scope `provider_keys:write`.
   */
  remove(provider: string, options?: RequestOptions): ApiPromise<RemovedProviderKeys> {
    return this.request({ method: "DELETE", path: path`/developers/provider-keys/${provider}`, access: "tenant" }, options);
  }

  /**
   * Recomputes the hashes of the `provider_keys` audit chain and compares the chain with its newest checkpoint in
   * external storage (the anchor). All entries recorded before the call are checked. Equivalent to `GET
   * /audit/verify?chain=provider_keys`. Requires the scope `audit:read`.
   */
  verifyAudit(options?: RequestOptions): ApiPromise<AuditVerification> {
    return this.request({ method: "GET", path: "/developers/provider-keys/audit/verify", access: "tenant" }, options);
  }
}

export interface ListVariablesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class ProjectVariables extends Resource {
  /**
   * Returns the names and metadata of the project's variables, sorted by name. Does not include values or the variables
   * of services. Requires the scope `projects:read`.
   */
  list(projectId: string, query: ListVariablesQuery = {}, options?: RequestOptions): PagePromise<Variable, VariableList> {
    return this.pages({ method: "GET", path: path`/projects/${projectId}/variables`, access: "tenant", query }, options);
  }

  /**
   * Returns a variable's metadata. Only `GET /projects/{project_id}/env` returns values. Requires the scope
   * `projects:read`.
   */
  get(projectId: string, name: string, options?: RequestOptions): ApiPromise<Variable> {
    return this.request({ method: "GET", path: path`/projects/${projectId}/variables/${name}`, access: "tenant" }, options);
  }

  /**
   * Sets a variable in some or all of the project's environments. Its values in other environments are unchanged. Fails
   * with `validation_error` for a name that is reserved in any case, such as `PATH`, with `already_exists` if another
   * variable has the name in another case, and with `conflict` if the project would exceed 1,000 variables, 8 MiB of
   * values, or 1 MiB of values in one environment. Requires the scope `projects:write`.
   */
  set(projectId: string, name: string, body: VariableSetRequest, options?: RequestOptions): ApiPromise<Variable> {
    return this.request({ method: "PUT", path: path`/projects/${projectId}/variables/${name}`, access: "tenant", body }, options);
  }

  /**
   * Deletes the variable and its values in all environments. Requires the scope `projects:write`.
   */
  delete(projectId: string, name: string, options?: RequestOptions): ApiPromise<DeletedVariable> {
    return this.request({ method: "DELETE", path: path`/projects/${projectId}/variables/${name}`, access: "tenant" }, options);
  }
}

export class ProjectBilling extends Resource {
  /**
   * Attaches a payment method to the project's customer at the payment processor and sets it up for future charges.
   * Creates the customer if the project has none. `setup_intent.next_action` states what the owner must do. Fails with
   * `validation_error` if the payment method is unknown or declined; the `code` in `errors` is the payment processor's
   * reason. Fails with `conflict` if the project is not active. Requires the scope `projects:write`.
   */
  attachPaymentMethod(projectId: string, body: PaymentMethodAttachRequest, options?: RequestOptions): ApiPromise<PaymentMethodAttachment> {
    return this.request({ method: "POST", path: path`/projects/${projectId}/billing/payment-methods`, access: "tenant", body }, options);
  }
}

export interface ReceiveOAuthCallbackQuery {
  /**
   * The OAuth `state` value that identifies the link. Valid once, for ten minutes.
   */
  readonly state: string;
  /**
   * The authorization code. Required unless `error` is sent, and ignored if `error` is sent.
   */
  readonly code?: string;
  /**
   * The provider's error code (RFC 6749, section 4.1.2.1). If it is sent, the link fails.
   */
  readonly error?: string;
}

export interface ReceiveOAuthRedirectQuery {
  /**
   * The OAuth `state` value that identifies the link. Valid once, for ten minutes.
   */
  readonly state: string;
  /**
   * The authorization code. Required unless `error` is sent, and ignored if `error` is sent.
   */
  readonly code?: string;
  /**
   * The provider's error code (RFC 6749, section 4.1.2.1). If it is sent, the link fails.
   */
  readonly error?: string;
}

export interface ListLinksQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class ProjectLinks extends Resource {
  /**
   * Starts a link between the project and the developer's account at a provider. A user must complete the link at `url`
   * within ten minutes. `url` is the provider's consent page, or a form in which the user enters an API token for the
   * provider. If the provider's `auth` in the catalog is `instant`, the provider is asked for an account with the
   * developer's email address, and the link usually has the status `linked` at once; if the developer already has an
   * account there, a user gives consent at `url`. Earlier pending links of the project to this provider expire. If the
   * provider is already linked, the existing link is returned unchanged unless `force` is true. Fails with `conflict`
   * if the project's status does not allow new links. Requires the scope `projects:write`.
   */
  begin(projectId: string, body: LinkProviderRequest, options?: RequestOptions): ApiPromise<Link> {
    return this.request({ method: "POST", path: path`/projects/${projectId}/link`, access: "tenant", body }, options);
  }

  /**
   * The URL to which providers redirect the user's browser (the OAuth redirect URI). Completes the provider link that
   * the `state` belongs to, or sets its status to `failed`. Unknown parameters are ignored. Browsers (`Accept:
   * text/html`) are redirected with 303 to the provider link's `redirect_uri`, or to a page that shows the outcome.
   * Other clients receive 200, or `invalid_state` if the state is unknown, used or expired.
   */
  completeCallback(query: ReceiveOAuthCallbackQuery, options?: RequestOptions): ApiPromise<FinishedLink> {
    return this.request({ method: "POST", path: "/projects/webhooks/oauth-callback", access: "public", query }, options);
  }

  /**
   * The URL to which providers redirect the user's browser (the OAuth redirect URI). Completes the provider link that
   * the `state` belongs to, or sets its status to `failed`. Unknown parameters are ignored. Browsers (`Accept:
   * text/html`) are redirected with 303 to the provider link's `redirect_uri`, or to a page that shows the outcome.
   * Other clients receive 200, or `invalid_state` if the state is unknown, used or expired.
   */
  completeRedirect(query: ReceiveOAuthRedirectQuery, options?: RequestOptions): ApiPromise<FinishedLink> {
    return this.request({ method: "GET", path: "/projects/webhooks/oauth-callback", access: "public", query }, options);
  }

  /**
   * Returns the project's links, newest first, including failed, expired and revoked ones. `url` and `state` are null.
   * Requires the scope `projects:read`.
   */
  list(projectId: string, query: ListLinksQuery = {}, options?: RequestOptions): PagePromise<Link, LinkList> {
    return this.pages({ method: "GET", path: path`/projects/${projectId}/links`, access: "tenant", query }, options);
  }

  /**
   * Returns a link. While the link is pending, `url` and `state` are included for callers that can link providers: a
   * dashboard session, or a key that has the scope `projects:write` and is not bound to agents. Requires the scope
   * `projects:read`.
   */
  get(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<Link> {
    return this.request({ method: "GET", path: path`/projects/${projectId}/links/${linkId}`, access: "tenant" }, options);
  }

  /**
   * Revokes a completed or pending link and deletes its tokens. Tokens that the provider issued to Purser are also
   * revoked at the provider, unless another link uses the account. A failed, expired or revoked link is returned
   * unchanged. Fails with `link_in_use` while services use the link. Requires the scope `projects:write`.
   */
  revoke(projectId: string, linkId: string, options?: RequestOptions): ApiPromise<Link> {
    return this.request({ method: "DELETE", path: path`/projects/${projectId}/links/${linkId}`, access: "tenant" }, options);
  }
}

export interface ListServicesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class ProjectServices extends Resource {
  /**
   * Adds a service from a linked provider to the project. First reserves the plan's price, which counts toward the caps
   * of the project and the provider. Then provisions the service. Waits up to 20 seconds for the operation to finish.
   * If it is then still running, the response contains a `poll_url`. Fails with `payment_method_required`,
   * `cap_exceeded`, `provider_not_linked`, `tos_acceptance_required`, `already_exists`, `conflict`, `agent_not_found`,
   * `agent_suspended`, `provider_error` or `provider_unavailable`. If an agent adds the service, its policies decide
   * first: the call can also fail with `policy_denied` or `kya_required`, or the operation requires an `approval`.
   * After such a failure nothing is left at the provider. If a failure could not be undone, the response is 202 and the
   * operation's status is `needs_operator`. Requires the scope `services:write`.
   */
  add(projectId: string, body: AddServiceRequest = {}, options?: RequestOptions): ApiPromise<ServiceAddition> {
    return this.request({ method: "POST", path: path`/projects/${projectId}/services`, access: "tenant", body }, options);
  }

  /**
   * Returns the project's services, newest first. Failed services are included, removed ones are not. Requires the
   * scope `projects:read`.
   */
  list(projectId: string, query: ListServicesQuery = {}, options?: RequestOptions): PagePromise<Service, ServiceList> {
    return this.pages({ method: "GET", path: path`/projects/${projectId}/services`, access: "tenant", query }, options);
  }

  /**
   * Issues new credentials at the provider, uses them once if possible, and puts them into the env bundles. The
   * operation then ends. The former credentials stay valid for the grace period and are then retired at the provider:
   * `status` is `pending` until then. Waits up to 20 seconds for the operation. Fails with `conflict` while the service
   * is being changed, unless `reason` is `compromised` and the service is being rotated or its change of plan waits for
   * an approval, which is then canceled. Also fails with `conflict` during the grace period of an earlier rotation,
   * unless `retire_previous` is true or `reason` is `compromised`. If the key is bound to agents, the agent that acts
   * must be active and a member of the project, and its policies decide about `env.pull`: the call can also fail with
   * `agent_suspended`, `policy_denied` or `kya_required`. Fails with `provider_error` if the provider rejects the call
   * or the new credentials, and with `provider_unavailable` if the provider cannot be reached. The former credentials
   * are then still valid. Requires the scope `services:write`.
   */
  rotate(projectId: string, serviceId: string, body: RotateServiceRequest = {}, options?: RequestOptions): ApiPromise<ServiceRotation> {
    return this.request({ method: "POST", path: path`/projects/${projectId}/services/${serviceId}/rotate`, access: "tenant", body }, options);
  }

  /**
   * Removes a service and deletes its credentials. The resource at the provider is deleted with all its data. If the
   * service was added with `existing_resource_id`, the resource stays at the provider. Waits up to 20 seconds for the
   * removal to finish. If the operation is then still running, `poll_url` is set. While the service is being removed, a
   * repeated call returns the running operation. Fails with `conflict` while the service is being added, with
   * `provider_error` if the provider rejects the call, and with `provider_unavailable` if the provider cannot be
   * reached. Requires the scope `services:write`.
   */
  remove(projectId: string, serviceId: string, options?: RequestOptions): ApiPromise<ServiceRemoval> {
    return this.request({ method: "DELETE", path: path`/projects/${projectId}/services/${serviceId}`, access: "tenant" }, options);
  }

  /**
   * Returns a service of the project, even if adding it failed. Never returns credentials. Fails with 404
   * `service_not_found` if the service was removed. Requires the scope `projects:read`.
   */
  get(projectId: string, serviceId: string, options?: RequestOptions): ApiPromise<Service> {
    return this.request({ method: "GET", path: path`/projects/${projectId}/services/${serviceId}`, access: "tenant" }, options);
  }

  /**
   * Changes the plan, to a higher or a lower one. What the new plan costs in addition for the rest of the month is
   * reserved before the provider is called, and counts toward the caps of the project and the provider. The service
   * stays usable. Waits up to 20 seconds for the operation to finish. If the service already has the plan, nothing
   * changes, and a scheduled change is canceled. While an operation that changes the plan needs an operator, the call
   * fails with `conflict`. Fails with `not_upgradable`, `payment_method_required`, `cap_exceeded`,
   * `tos_acceptance_required`, `conflict`, `agent_not_found`, `agent_suspended`, `provider_error` or
   * `provider_unavailable`. If an agent changes the plan, its policies decide first: the call can also fail with
   * `policy_denied` or `kya_required`, or the operation requires an `approval`. After such a failure the service has
   * its former plan. Requires the scope `services:write`.
   */
  upgrade(projectId: string, serviceId: string, body: UpgradeServiceRequest, options?: RequestOptions): ApiPromise<ServiceUpgrade> {
    return this.request({ method: "POST", path: path`/projects/${projectId}/services/${serviceId}/upgrade`, access: "tenant", body }, options);
  }

  /**
   * Returns a URL that opens the service in its provider's dashboard and can be used once. It is not stored: a repeated
   * call with the same Idempotency-Key fails with `secret_already_issued`. Fails with 404 `not_found` if
   * `dashboard_url_available` of the service is false. Requires the scope `services:write`.
   */
  deepLink(projectId: string, serviceId: string, options?: RequestOptions): ApiPromise<DeepLink> {
    return this.request({ method: "POST", path: path`/projects/${projectId}/services/${serviceId}/deep-link`, access: "tenant" }, options);
  }
}

export class FiatAccounts extends Resource {
  /**
   * Returns the linked bank accounts of the caller's mode, newest first, without personal data. Requires the scope
   * `fiat:read`.
   */
  list(options?: RequestOptions): ApiPromise<FiatAccountList> {
    return this.request({ method: "GET", path: "/fiat/accounts", access: "tenant" }, options);
  }

  /**
   * Returns a linked bank account without personal data. Requires the scope `fiat:read`.
   */
  get(accountId: string, options?: RequestOptions): ApiPromise<FiatAccount> {
    return this.request({ method: "GET", path: path`/fiat/accounts/${accountId}`, access: "tenant" }, options);
  }

  /**
   * Removes the account and destroys the personal data of its holder at once. Purser then ends the login at Plaid and
   * removes the account at Bridge. Returns the account as `removed`; from then on it is not found. Requires the scope
   * `fiat:write`.
   */
  remove(accountId: string, options?: RequestOptions): ApiPromise<FiatAccount> {
    return this.request({ method: "DELETE", path: path`/fiat/accounts/${accountId}`, access: "tenant" }, options);
  }
}

export interface ListConversionsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * Returns only conversions with this status.
   */
  readonly status?: "quoted" | "awaiting_funds" | "in_review" | "funds_received" | "payment_submitted" | "completed" | "undeliverable" | "returned" | "missing_return_policy" | "refund_in_flight" | "refunded" | "refund_failed" | "canceled" | "expired" | "failed";
  /**
   * 
   */
  readonly direction?: "on_ramp" | "off_ramp";
  /**
   * Returns only conversions of this wallet.
   */
  readonly wallet_id?: string;
  /**
   * Returns only conversions created at this time or later.
   */
  readonly from?: string;
  /**
   * Returns only conversions created before this time.
   */
  readonly to?: string;
}

export class FiatConversions extends Resource {
  /**
   * Returns conversions and quotes of the caller's mode, newest first. A key that is bound to agents gets those of
   * their wallets. Requires the scope `fiat:read`.
   */
  list(query: ListConversionsQuery = {}, options?: RequestOptions): PagePromise<Conversion, ConversionList> {
    return this.pages({ method: "GET", path: "/fiat/conversions", access: "tenant", query }, options);
  }

  /**
   * Returns a conversion. A key that is bound to agents can read those of their wallets. Requires the scope
   * `fiat:read`.
   */
  get(conversionId: string, options?: RequestOptions): ApiPromise<Conversion> {
    return this.request({ method: "GET", path: path`/fiat/conversions/${conversionId}`, access: "tenant" }, options);
  }

  /**
   * Executes a quote. Fails with `quote_expired` after its 30 seconds, and with `conflict` if it was executed. Refusals
   * are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`,
   * `insufficient_funds`, then `conflict` if the bank account is not verified or its holder not approved. Policies
   * decide only if an agent acts: with `X-Agent-ID`, or a key that is bound to agents. A rule that requires an approval
   * refuses. Live conversions fail with `network_unavailable` for a wallet of a test network, and while its network
   * cannot be used. Requires the scope `fiat:write`.
   */
  execute(conversionId: string, options?: RequestOptions): ApiPromise<Conversion> {
    return this.request({ method: "POST", path: path`/fiat/conversions/${conversionId}/execute`, access: "tenant" }, options);
  }

  /**
   * Cancels a quote, an on-ramp whose dollars have not arrived, or an off-ramp whose tokens have not been sent.
   * Otherwise fails with `conflict`. Requires the scope `fiat:write`.
   */
  cancel(conversionId: string, options?: RequestOptions): ApiPromise<Conversion> {
    return this.request({ method: "POST", path: path`/fiat/conversions/${conversionId}/cancel`, access: "tenant" }, options);
  }
}

export interface VerifyEmailQuery {
  /**
   * The token from the verification email.
   */
  readonly token: string;
}

export class Developers extends Resource {
  readonly kyb: DeveloperKyb = new DeveloperKyb(this.transport());
  readonly emailedTokens: DeveloperEmailedTokens = new DeveloperEmailedTokens(this.transport());
  readonly keys: DeveloperKeys = new DeveloperKeys(this.transport());
  readonly devices: DeveloperDevices = new DeveloperDevices(this.transport());
  readonly identities: DeveloperIdentities = new DeveloperIdentities(this.transport());
  readonly sessions: DeveloperSessions = new DeveloperSessions(this.transport());
  readonly secondFactor: DeveloperSecondFactor = new DeveloperSecondFactor(this.transport());
  readonly providerKeys: DeveloperProviderKeys = new DeveloperProviderKeys(this.transport());
  /**
   * Returns the profile of the logged-in developer. The email address does not have to be verified.
   */
  getDashboardProfile(options?: RequestOptions): ApiPromise<Developer> {
    return this.request({ method: "GET", path: "/developers/dashboard/me", access: "dashboard" }, options);
  }

  /**
   * Updates the profile of the logged-in developer. Absent fields are unchanged. `null` clears a field.
   * `notification_preferences` is merged with the current preferences.
   */
  updateDashboardProfile(body: UpdateDashboardProfileRequest = {}, options?: RequestOptions): ApiPromise<Developer> {
    return this.request({ method: "PUT", path: "/developers/dashboard/me", access: "dashboard", body }, options);
  }

  /**
   * Returns what the first page of a dashboard shows, as it was at one moment: this month's spending, balances, the
   * newest payments, what needs a person now, and which first steps are done. Requires `X-Svc-Mode`. The email address
   * does not have to be verified.
   */
  getDashboardOverview(options?: RequestOptions): ApiPromise<DashboardOverview> {
    return this.request({ method: "GET", path: "/developers/dashboard/overview", access: "dashboard" }, options);
  }

  /**
   * Returns the profile of the developer who owns the API key or dashboard session. Requires no scope.
   */
  me(options?: RequestOptions): ApiPromise<Developer> {
    return this.request({ method: "GET", path: "/developers/me", access: "tenant" }, options);
  }

  /**
   * Registers the logged-in developer for the API and creates the account's first key pair. The key and its secret are
   * returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. Fails
   * with `email_not_verified` if the email address is not verified, and with `already_exists` if the developer is
   * already registered.
   */
  register(body: DeveloperRegisterRequest = {}, options?: RequestOptions): ApiPromise<RegisteredDeveloper> {
    return this.request({ method: "POST", path: "/developers/register", access: "dashboard", body }, options);
  }

  /**
   * Creates an account and sends an email with a URL that verifies the email address. If a verified account already has
   * this address, the response is the same, and the email states that the account exists. Fails with `validation_error`
   * for a common password, and with `rate_limited` after 20 signups per hour from one network.
   */
  signUp(body: SignupRequest, options?: RequestOptions): ApiPromise<Signup> {
    return this.request({ method: "POST", path: "/developers/signup", access: "public", body }, options);
  }

  /**
   * Returns an ALTCHA version 2 challenge, which can be used once within ten minutes. To use it, solve it and send the
   * Base64 encoding of a JSON object with the fields `challenge` and `solution` as `captcha_token`. If the server uses
   * Turnstile, returns the configuration for its widget instead: `kind`, `site_key` and `action`. In this case, send
   * the token that the widget returns as `captcha_token`.
   */
  captcha(options?: RequestOptions): ApiPromise<Captcha> {
    return this.request({ method: "GET", path: "/developers/captcha", access: "public" }, options);
  }

  /**
   * Returns the configured identity providers and the captcha, for a page to log in or sign up.
   */
  loginOptions(options?: RequestOptions): ApiPromise<LoginOptions> {
    return this.request({ method: "GET", path: "/developers/login-options", access: "public" }, options);
  }

  /**
   * Sends another verification email if the email address is not verified yet. The response is the same for every
   * address. The URLs in earlier emails remain valid. At most three emails per hour are sent to one address. Fails with
   * `rate_limited` after three calls per minute from one network.
   */
  resendVerification(body: ResendVerificationRequest, options?: RequestOptions): ApiPromise<ResentVerification> {
    return this.request({ method: "POST", path: "/developers/resend-verification", access: "public", body }, options);
  }

  /**
   * Verifies an email address with the token from the verification email. Changes nothing for a browser (`Accept:
   * text/html`), because email scanners open URLs too: it is redirected with 303 to the login page, where a button
   * verifies the address. The token is valid for 24 hours and can be used once. Fails with `invalid_token` if the token
   * is unknown, used or expired. If there are several signups for the address, the account gets the password and
   * profile of the signup that the token belongs to. Verifying the address ends the account's sessions. Sets a cookie
   * for 15 minutes. A password login from the same browser during this time confirms ownership of the account: a later
   * password reset then keeps the account's API keys and second factor (see `POST /developers/password/reset`).
   */
  verifyEmail(query: VerifyEmailQuery, options?: RequestOptions): ApiPromise<VerifiedEmail> {
    return this.request({ method: "GET", path: "/developers/verify-email", access: "public", query }, options);
  }

  /**
   * Verifies an email address with the token from the verification email. The button of the login page calls it;
   * browsers (`Accept: text/html`) are redirected back to that page with 303. The token is valid for 24 hours and can
   * be used once. Fails with `invalid_token` if the token is unknown, used or expired. If there are several signups for
   * the address, the account gets the password and profile of the signup that the token belongs to. Verifying the
   * address ends the account's sessions. Sets a cookie for 15 minutes. A password login from the same browser during
   * this time confirms ownership of the account: a later password reset then keeps the account's API keys and second
   * factor (see `POST /developers/password/reset`).
   */
  confirmEmail(body: VerifyEmailRequest, options?: RequestOptions): ApiPromise<VerifiedEmail> {
    return this.request({ method: "POST", path: "/developers/verify-email", access: "public", body }, options);
  }

  /**
   * Sends an email with a URL to choose a new password, if the email address has an account. The response is the same
   * for every address. At most three emails per hour are sent to one address. Fails with `rate_limited` after five
   * calls per minute from one network.
   */
  forgotPassword(body: PasswordForgotRequest, options?: RequestOptions): ApiPromise<RequestedPasswordReset> {
    return this.request({ method: "POST", path: "/developers/password/forgot", access: "public", body }, options);
  }

  /**
   * Sets a new password with the token from the password reset email, ends all sessions and clears the cookies of the
   * browser's session. Ownership of an account is confirmed once the same person has controlled both the mailbox and
   * the login: by a password reset, by a login with an identity provider that has verified the email address, or by a
   * password login from the browser that opened the verification URL. An account with confirmed ownership keeps its API
   * keys (unless `revoke_keys` is true) and its second factor. For any other account, everything set up earlier is
   * removed: API keys (unless `keep_keys` is true), second factor, linked identities, pending device logins and
   * profile. The reset confirms ownership and verifies the email address. Fails with `invalid_token` for an invalid
   * token, and with `validation_error` if both `keep_keys` and `revoke_keys` are true.
   */
  resetPassword(body: PasswordResetRequest, options?: RequestOptions): ApiPromise<PasswordReset> {
    return this.request({ method: "POST", path: "/developers/password/reset", access: "public", body }, options);
  }

  /**
   * Completes a login that returned `mfa_required`, with a code from the authenticator app or a recovery code.
   * `mfa_token` is valid for five minutes and five attempts. Each code works once. Each account is limited to 20 TOTP
   * codes per hour; recovery codes do not count. Every failure returns `authentication_failed`, except `cross_origin`
   * if another site sent the cookie.
   */
  logInWithSecondFactor(body: SecondFactorLoginRequest, options?: RequestOptions): ApiPromise<Session> {
    return this.request({ method: "POST", path: "/developers/login/totp", access: "public", body }, options);
  }

  /**
   * Logs in with an email address and a password. Returns the tokens in the body and sets them as HttpOnly cookies for
   * browsers. For an account with a second factor, send `totp_code`. If such a login has no `totp_code`, the response
   * is `mfa_required` with an `mfa_token` for `POST /developers/login/totp`. Fails with `authentication_failed` for a
   * wrong email address, password or code.
   */
  logIn(body: DeveloperLoginRequest, options?: RequestOptions): ApiPromise<LoginResult> {
    return this.request({ method: "POST", path: "/developers/login", access: "public", body }, options);
  }

  /**
   * Ends the session that the refresh token belongs to and clears the cookies. The response is the same for valid, used
   * and unknown tokens.
   */
  logOut(body: LogoutRequest = {}, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "POST", path: "/developers/logout", access: "public", body }, options);
  }

  /**
   * Returns a new access token and a new refresh token. Each refresh token can be used once. If the same token is used
   * again within 20 seconds and the new tokens were not used, the call returns other new tokens and revokes the first
   * ones; otherwise it fails. A use more than 20 seconds after the first also ends the session. Fails with
   * `authentication_failed` for any invalid token, and with `cross_origin` if another site sent the cookie.
   */
  refresh(body: RefreshSessionRequest = {}, options?: RequestOptions): ApiPromise<Session> {
    return this.request({ method: "POST", path: "/developers/token/refresh", access: "public", body }, options);
  }
}

export interface ListProjectsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Page number, 1 by default. Projects that are created or deleted between two calls move the pages; `cursor` misses
   * none. Not together with `cursor`.
   */
  readonly page?: number;
  /**
   * Number of projects per page. Default: 20.
   */
  readonly per_page?: number;
}

export interface ListProjectChargesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * Returns only charges of this calendar month (UTC), for example `2026-11`.
   */
  readonly period?: string;
  /**
   * Returns only charges of this provider, for example `neon`.
   */
  readonly provider?: string;
}

export interface BrowseCatalogQuery {
  /**
   * Text to search for in names, categories, services and descriptions, ignoring case.
   */
  readonly q?: string;
  /**
   * A category, for example `database`.
   */
  readonly category?: string;
  /**
   * Return only the provider with this id.
   */
  readonly provider?: string;
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export interface ListProjectAuditQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export interface ListProjectInvoicesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class Projects extends Resource {
  readonly env: ProjectEnv = new ProjectEnv(this.transport());
  readonly variables: ProjectVariables = new ProjectVariables(this.transport());
  readonly operations: ProjectOperations = new ProjectOperations(this.transport());
  readonly billing: ProjectBilling = new ProjectBilling(this.transport());
  readonly links: ProjectLinks = new ProjectLinks(this.transport());
  readonly services: ProjectServices = new ProjectServices(this.transport());
  /**
   * Returns the projects in the caller's mode, newest first. Deleted projects are not included. A key bound to agents
   * or projects gets only the projects that it can access. Requires the scope `projects:read`.
   */
  list(query: ListProjectsQuery = {}, options?: RequestOptions): PagePromise<Project, ProjectList> {
    return this.pages({ method: "GET", path: "/projects", access: "tenant", query }, options);
  }

  /**
   * Creates a project in the caller's mode. A project contains services and variables and has a monthly cap. Keys bound
   * to agents or projects cannot create projects. Fails with `already_exists` if a project with this name exists, and
   * with `conflict` if the account has reached its maximum number of projects. Requires the scope `projects:write`.
   */
  create(body: ProjectCreateRequest, options?: RequestOptions): ApiPromise<Project> {
    return this.request({ method: "POST", path: "/projects", access: "tenant", body }, options);
  }

  /**
   * Returns the project with its usage in the current month. Requires the scope `projects:read`.
   */
  get(projectId: string, options?: RequestOptions): ApiPromise<Project> {
    return this.request({ method: "GET", path: path`/projects/${projectId}`, access: "tenant" }, options);
  }

  /**
   * Deletes a project: removes all services, revokes the provider links, deletes the variables, and deletes the
   * project's customer at the payment processor. `POST /projects/{project_id}/delete-preview` shows in advance what
   * happens to each service's resource at its provider. Waits up to 20 seconds for the deletion to finish. If `status`
   * is then `deleting`, repeat the request to check the progress. Fails with 404 `project_not_found` once the project
   * is deleted. Requires the scope `projects:write`.
   */
  delete(projectId: string, options?: RequestOptions): ApiPromise<ProjectDeletion> {
    return this.request({ method: "DELETE", path: path`/projects/${projectId}`, access: "tenant" }, options);
  }

  /**
   * Updates a project. Absent fields are unchanged, and `null` clears a nullable field. `provider_caps` and `metadata`
   * are merged with their current values. The cap can be lower than this month's spending; further charges are then
   * rejected. Fails with `already_exists` if another project has the name, and with `conflict` if its status does not
   * allow the change: the agents of a suspended project cannot be changed. Requires the scope `projects:write`.
   */
  update(projectId: string, body: ProjectUpdateRequest = {}, options?: RequestOptions): ApiPromise<Project> {
    return this.request({ method: "PATCH", path: path`/projects/${projectId}`, access: "tenant", body }, options);
  }

  /**
   * Returns the project's spending in the current month, its newest charges, its services and links, and the actions
   * that a user must take. Requires the scope `projects:read`.
   */
  status(projectId: string, options?: RequestOptions): ApiPromise<ProjectOverview> {
    return this.request({ method: "GET", path: path`/projects/${projectId}/status`, access: "tenant" }, options);
  }

  /**
   * Returns what `DELETE /projects/{project_id}` would do to each service and to the variables, and what will still be
   * billed. Changes nothing. Requires the scope `projects:read`.
   */
  deletePreview(projectId: string, options?: RequestOptions): ApiPromise<ProjectDeletionPreview> {
    return this.request({ method: "POST", path: path`/projects/${projectId}/delete-preview`, access: "tenant" }, options);
  }

  /**
   * Returns the project's charges, newest first: one for each service and month, another one if the service's plan
   * changed in the month, and one for each payment that counts toward the cap. Charges of a deleted project stay
   * readable. The amount of a `reserved` charge is the price or the estimated cost. It becomes final after the month
   * ends, or when the service is removed. Requires the scope `projects:read`.
   */
  charges(projectId: string, query: ListProjectChargesQuery = {}, options?: RequestOptions): PagePromise<Charge, ChargeList> {
    return this.pages({ method: "GET", path: path`/projects/${projectId}/charges`, access: "tenant", query }, options);
  }

  /**
   * Returns the providers that can be linked, sorted by id, with their services, plans, prices and regions. If several
   * filters are set, only providers that match all of them are returned. Requires the scope `projects:read`.
   */
  catalog(query: BrowseCatalogQuery = {}, options?: RequestOptions): PagePromise<CatalogProvider, Catalog> {
    return this.pages({ method: "GET", path: "/projects/catalog", access: "tenant", query }, options);
  }

  /**
   * Returns the audit entries that belong to the project, newest first. A page can have fewer entries than `limit` even
   * if it is not the last one; check `has_more`. Requires the scope `audit:read`.
   */
  audit(projectId: string, query: ListProjectAuditQuery = {}, options?: RequestOptions): PagePromise<AuditEntry, AuditEntryList> {
    return this.pages({ method: "GET", path: path`/projects/${projectId}/audit`, access: "tenant", query }, options);
  }

  /**
   * Returns the project's invoices, newest first. Those of a deleted project stay readable. Fails with
   * `project_not_found`. Requires the scope `projects:read`.
   */
  invoices(projectId: string, query: ListProjectInvoicesQuery = {}, options?: RequestOptions): PagePromise<Invoice, InvoiceList> {
    return this.pages({ method: "GET", path: path`/projects/${projectId}/invoices`, access: "tenant", query }, options);
  }
}

export interface ListAuditEntriesQuery {
  /**
   * The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries.
   * Default: `tenant`.
   */
  readonly chain?: "tenant" | "provider_keys";
  /**
   * Return only entries with this action, for example `api_key.created`.
   */
  readonly action?: string;
  /**
   * Return only entries whose subject has this id.
   */
  readonly subject_id?: string;
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export interface ExportAuditChainQuery {
  /**
   * The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries.
   * Default: `tenant`.
   */
  readonly chain?: "tenant" | "provider_keys";
  /**
   * 
   */
  readonly format?: "jsonl";
}

export interface ListAuditCheckpointsQuery {
  /**
   * The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries.
   * Default: `tenant`.
   */
  readonly chain?: "tenant" | "provider_keys";
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export interface VerifyAuditQuery {
  /**
   * The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries.
   * Default: `tenant`.
   */
  readonly chain?: "tenant" | "provider_keys";
  /**
   * Send `checkpoint` to start the check at the newest checkpoint in the anchor instead of at the first entry. If
   * `anchor.status` is not `matched`, all entries are checked.
   */
  readonly since?: "checkpoint";
}

export class Audit extends Resource {
  /**
   * Returns the entries of an audit chain, newest first. With a filter, a page can have few or no entries even if
   * `has_more` is true. Test keys can list only entries in test mode. Requires the scope `audit:read`.
   */
  entries(query: ListAuditEntriesQuery = {}, options?: RequestOptions): PagePromise<AuditEntry, AuditEntryList> {
    return this.pages({ method: "GET", path: "/audit/entries", access: "tenant", query }, options);
  }

  /**
   * Returns the signed checkpoints of an audit chain, newest first. Each checkpoint contains the hash of the previous
   * checkpoint. The public keys for the signatures are at `/.well-known/jwks.json`. Requires the scope `audit:read`.
   */
  checkpoints(query: ListAuditCheckpointsQuery = {}, options?: RequestOptions): PagePromise<AuditCheckpoint, AuditCheckpointList> {
    return this.pages({ method: "GET", path: "/audit/checkpoints", access: "tenant", query }, options);
  }

  /**
   * Recomputes the hashes of an audit chain and compares the chain with its newest checkpoint in external storage (the
   * anchor). All entries recorded before the call are checked, unless `since` is sent. Requires the scope `audit:read`.
   */
  verify(query: VerifyAuditQuery = {}, options?: RequestOptions): ApiPromise<AuditVerification> {
    return this.request({ method: "GET", path: "/audit/verify", access: "tenant", query }, options);
  }
}

export interface ListInvoicesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class Invoices extends Resource {
  /**
   * Returns the invoices for what Purser bills, of all projects of the caller's mode, newest first. Those of deleted
   * projects are included. Requires the scope `projects:read`.
   */
  list(query: ListInvoicesQuery = {}, options?: RequestOptions): PagePromise<Invoice, InvoiceList> {
    return this.pages({ method: "GET", path: "/invoices", access: "tenant", query }, options);
  }
}

export interface ListPoliciesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class Policies extends Resource {
  /**
   * Creates a policy in the caller's mode. It applies from the next decision on to the agents, wallets and projects
   * that it names. Fails with `conflict` if the account has 200 policies in this mode. Requires the scope
   * `policies:write`.
   */
  create(body: PolicyCreateRequest, options?: RequestOptions): ApiPromise<Policy> {
    return this.request({ method: "POST", path: "/policies", access: "tenant", body }, options);
  }

  /**
   * Returns the policies in the caller's mode, newest first. Deleted policies are not included. A key bound to agents
   * gets only the policies of these agents and the starter policy. Requires the scope `policies:read`.
   */
  list(query: ListPoliciesQuery = {}, options?: RequestOptions): PagePromise<Policy, PolicyList> {
    return this.pages({ method: "GET", path: "/policies", access: "tenant", query }, options);
  }

  /**
   * Returns a policy. A key bound to agents gets only the policies of these agents and the starter policy. Requires the
   * scope `policies:read`.
   */
  get(policyId: string, options?: RequestOptions): ApiPromise<Policy> {
    return this.request({ method: "GET", path: path`/policies/${policyId}`, access: "tenant" }, options);
  }

  /**
   * Changes a policy, which makes a new version. It decides from the next decision on. If no value changes, the version
   * stays. Fails with `version_conflict` if `version` is not the current version. Requires the scope `policies:write`.
   */
  update(policyId: string, body: PolicyUpdateRequest = {}, options?: RequestOptions): ApiPromise<Policy> {
    return this.request({ method: "PATCH", path: path`/policies/${policyId}`, access: "tenant", body }, options);
  }

  /**
   * Deletes a policy. Fails with `conflict` for the starter policy, and while it is the `policy_id` of an agent or a
   * project. Requires the scope `policies:write`.
   */
  delete(policyId: string, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "DELETE", path: path`/policies/${policyId}`, access: "tenant" }, options);
  }

  /**
   * Returns a policy as it was in this version, which is its current one or an earlier one. `updated_at` is when the
   * version was made. Fails with `policy_not_found` if there is no such version. Requires the scope `policies:read`.
   */
  version(policyId: string, version: string, options?: RequestOptions): ApiPromise<Policy> {
    return this.request({ method: "GET", path: path`/policies/${policyId}/versions/${version}`, access: "tenant" }, options);
  }

  /**
   * Makes a new version with the name, the rules, `applies_to` and `approvals` of an existing version. Fails with
   * `validation_error` if the version does not exist. Requires the scope `policies:write`.
   */
  rollback(policyId: string, body: PolicyRollbackRequest, options?: RequestOptions): ApiPromise<Policy> {
    return this.request({ method: "POST", path: path`/policies/${policyId}/rollback`, access: "tenant", body }, options);
  }

  /**
   * Returns what policies decide about an operation, and why, without doing it. Evaluates the policies that apply to
   * the agent, the wallet and the project, or only `policy_id`, or only the draft `policy`. Changes nothing. Requires
   * the scope `policies:read`.
   */
  evaluate(body: PolicyEvaluateRequest, options?: RequestOptions): ApiPromise<PolicyEvaluation> {
    return this.request({ method: "POST", path: "/policies/evaluate", access: "tenant", body }, options);
  }

  /**
   * Replays what the agent asked to do in the last 30 days with this policy, or with the draft `rules` and `approvals`,
   * and returns what would have been refused or needed an approval. Changes nothing. Limits start empty, and count only
   * operations that were allowed and that the rules allow too. Fails with `conflict` while another back-test of the
   * account and mode runs. Requires the scope `policies:read`.
   */
  backtest(policyId: string, body: PolicyBacktestRequest, options?: RequestOptions): ApiPromise<Backtest> {
    return this.request({ method: "POST", path: path`/policies/${policyId}/backtest`, access: "tenant", body }, options);
  }
}

export interface ListAgentsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export interface GetKyaTokenQuery {
  /**
   * Whom the token is for, usually a URL such as `https://shop.example`: 1 to 200 ASCII characters without spaces.
   */
  readonly audience: string;
}

export class Agents extends Resource {
  /**
   * Creates an active agent in the caller's mode. A child agent cannot act while its parent is not active, and its
   * parent's policies apply to it too. Fails with `already_exists` if the id is taken, also by a deleted agent, and
   * with `conflict` if the account has reached its maximum number of agents. Requires the scope `agents:write`.
   */
  create(body: AgentCreateRequest, options?: RequestOptions): ApiPromise<Agent> {
    return this.request({ method: "POST", path: "/agents", access: "tenant", body }, options);
  }

  /**
   * Returns the agents in the caller's mode, newest first. Deleted agents are not included. A key bound to agents gets
   * only these, and a key bound only to projects gets the agents that can use them. Requires the scope `agents:read`.
   */
  list(query: ListAgentsQuery = {}, options?: RequestOptions): PagePromise<Agent, AgentList> {
    return this.pages({ method: "GET", path: "/agents", access: "tenant", query }, options);
  }

  /**
   * Returns the agent. Fails with `agent_not_found` if it is deleted. Requires the scope `agents:read`.
   */
  get(agentId: string, options?: RequestOptions): ApiPromise<Agent> {
    return this.request({ method: "GET", path: path`/agents/${agentId}`, access: "tenant" }, options);
  }

  /**
   * Updates an agent. Absent fields are unchanged, and `null` clears a nullable field. `metadata` is merged with its
   * current value. `public_key` adds a key, up to five. Fails with `conflict` if the agent is revoked or expired, and
   * with `provider_unavailable` if the keys of the token's issuer cannot be fetched. Requires the scope `agents:write`.
   */
  update(agentId: string, body: AgentUpdateRequest = {}, options?: RequestOptions): ApiPromise<Agent> {
    return this.request({ method: "PATCH", path: path`/agents/${agentId}`, access: "tenant", body }, options);
  }

  /**
   * Revokes the agent (see `POST /agents/{agent_id}/revoke`) and hides it: it is not found from then on. Its id is
   * never free again. Its children remain, but cannot act. Fails with `conflict` while a wallet of the agent has a
   * balance. Requires the scope `agents:write`.
   */
  delete(agentId: string, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "DELETE", path: path`/agents/${agentId}`, access: "tenant" }, options);
  }

  /**
   * Returns every budget that limits the agent now, with what is spent, reserved and left of it: the limits of the
   * policies of the agent, of its ancestors, and of its wallets and projects, and the caps of its projects. A key that
   * is bound to agents can read only these. Fails with `agent_not_found`, and with `conflict` if the policies are too
   * large to decide. Requires the scope `agents:read`.
   */
  budgets(agentId: string, options?: RequestOptions): ApiPromise<AgentBudgets> {
    return this.request({ method: "GET", path: path`/agents/${agentId}/budgets`, access: "tenant" }, options);
  }

  /**
   * Suspends an active agent until it is resumed. Neither the agent nor its descendants can act, and no money leaves
   * their accounts. Does nothing if the agent is already suspended. Fails with `conflict` if it is revoked or expired.
   * Requires the scope `agents:write`.
   */
  suspend(agentId: string, body: AgentStatusRequest = {}, options?: RequestOptions): ApiPromise<Agent> {
    return this.request({ method: "POST", path: path`/agents/${agentId}/suspend`, access: "tenant", body }, options);
  }

  /**
   * Makes a suspended agent active again. Descendants that are suspended themselves remain suspended. Does nothing if
   * the agent is active. Fails with `conflict` if it is revoked or expired. Requires the scope `agents:write`.
   */
  resume(agentId: string, body: AgentStatusRequest = {}, options?: RequestOptions): ApiPromise<Agent> {
    return this.request({ method: "POST", path: path`/agents/${agentId}/resume`, access: "tenant", body }, options);
  }

  /**
   * Revokes the agent for ever. API keys that are bound only to revoked agents are revoked too, and its wallets are
   * frozen. Its children remain, but cannot act. If the agent is already revoked, only wallets that were unfrozen since
   * are frozen again. Requires the scope `agents:write`.
   */
  revoke(agentId: string, body: AgentStatusRequest = {}, options?: RequestOptions): ApiPromise<Agent> {
    return this.request({ method: "POST", path: path`/agents/${agentId}/revoke`, access: "tenant", body }, options);
  }

  /**
   * Creates a key pair that is bound to the agent and has its mode. Works like `POST /developers/me/keys` otherwise:
   * the secret is returned only in this response, and the key cannot have more permissions than the caller. Fails with
   * `agent_suspended` if the agent or one of its ancestors is not active. Requires the scope `agents:write`.
   */
  createKey(agentId: string, body: CreateAgentKeyRequest, options?: RequestOptions): ApiPromise<IssuedApiKey> {
    return this.request({ method: "POST", path: path`/agents/${agentId}/keys`, access: "tenant", body }, options);
  }

  /**
   * Returns a signed token with which the agent shows a third party how well it is known (KYA). The token is valid for
   * ten minutes. The third party verifies it with the keys at `jwks_url` and compares `aud` with its own URL. Each
   * token is an entry of the audit trail. Fails with `agent_suspended` if the agent or one of its ancestors is not
   * active. Requires the scope `agents:read`.
   */
  kyaToken(agentId: string, query: GetKyaTokenQuery, options?: RequestOptions): ApiPromise<KyaToken> {
    return this.request({ method: "GET", path: path`/agents/${agentId}/kya-token`, access: "tenant", query }, options);
  }
}

export interface ListWalletsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * Returns only wallets of this agent.
   */
  readonly agent_id?: string;
  /**
   * Returns only wallets on this network: a name or CAIP-2 id.
   */
  readonly network?: "ethereum" | "eip155:1" | "base" | "eip155:8453" | "arbitrum" | "eip155:42161" | "optimism" | "eip155:10" | "polygon" | "eip155:137" | "ethereum-sepolia" | "eip155:11155111" | "base-sepolia" | "eip155:84532" | "arbitrum-sepolia" | "eip155:421614" | "optimism-sepolia" | "eip155:11155420" | "polygon-amoy" | "eip155:80002" | "solana" | "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" | "solana-devnet" | "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
  /**
   * Returns only wallets with this status.
   */
  readonly status?: "active" | "freezing" | "frozen" | "unfreezing" | "closed";
}

export interface GetWalletBalanceQuery {
  /**
   * Reads the balances without the cache. In live mode that means from the chain: fails with `network_unavailable` if
   * it does not answer.
   */
  readonly refresh?: boolean;
}

export interface ListWalletActivityQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class Wallets extends Resource {
  /**
   * Creates the agent's wallet on a network: a smart account (ERC-4337) whose address is known before it is deployed.
   * An agent has at most one wallet on each network in each mode: otherwise fails with `wallet_already_exists` and the
   * `wallet_id`. Fails with `agent_suspended` if the agent is not active or was deleted, and with `network_not_enabled`
   * if wallets on the network are not available. If the request has `X-Agent-ID` or its key is bound to agents, the
   * agent's policies decide about `wallet.create`. A key that is bound to agents cannot send `policy_id` or
   * `recovery_address`. Requires the scope `wallets:write`.
   */
  create(body: WalletCreateRequest, options?: RequestOptions): ApiPromise<Wallet> {
    return this.request({ method: "POST", path: "/wallets/create", access: "tenant", body }, options);
  }

  /**
   * Returns the wallets in the caller's mode, newest first. With `X-Agent-ID`, returns only the wallets of this agent.
   * A key bound to agents gets only the wallets of these agents. Requires the scope `wallets:read`.
   */
  list(query: ListWalletsQuery = {}, options?: RequestOptions): PagePromise<Wallet, WalletList> {
    return this.pages({ method: "GET", path: "/wallets", access: "tenant", query }, options);
  }

  /**
   * Returns the agent's wallets on all networks, newest first: at most one on each. Returns an empty list for an
   * unknown agent. Fails with `agent_not_found` if the key is bound to other agents, or `X-Agent-ID` names another
   * agent. Requires the scope `wallets:read`.
   */
  listOfAgent(agentId: string, options?: RequestOptions): ApiPromise<AgentWallets> {
    return this.request({ method: "GET", path: path`/wallets/agent/${agentId}`, access: "tenant" }, options);
  }

  /**
   * Returns the wallet with its balances. With `X-Agent-ID`, the wallet must belong to this agent. Requires the scope
   * `wallets:read`.
   */
  get(walletId: string, options?: RequestOptions): ApiPromise<Wallet> {
    return this.request({ method: "GET", path: path`/wallets/${walletId}`, access: "tenant" }, options);
  }

  /**
   * Changes the name and the metadata. Absent fields are unchanged, and `null` clears a field. `metadata` is merged
   * with its current value. Requires the scope `wallets:write`.
   */
  update(walletId: string, body: WalletUpdateRequest = {}, options?: RequestOptions): ApiPromise<Wallet> {
    return this.request({ method: "PATCH", path: path`/wallets/${walletId}`, access: "tenant", body }, options);
  }

  /**
   * Returns the balances of the wallet, one for each token. They are cached for up to 30 seconds, and contain every
   * change that was acknowledged before the call. The totals of a live wallet are those of the newest block of its
   * network when they were read. A deposit is part of `total` at once, and of `available` once it is final. Requires
   * the scope `wallets:read`.
   */
  balance(walletId: string, query: GetWalletBalanceQuery = {}, options?: RequestOptions): ApiPromise<WalletBalances> {
    return this.request({ method: "GET", path: path`/wallets/${walletId}/balance`, access: "tenant", query }, options);
  }

  /**
   * Returns the deposits, payments, refunds and freezes of the wallet, newest first. A payment between two wallets of
   * the account is a payment of the one and a deposit of the other. Requires the scope `wallets:read`.
   */
  activity(walletId: string, query: ListWalletActivityQuery = {}, options?: RequestOptions): PagePromise<WalletActivity, WalletActivityList> {
    return this.pages({ method: "GET", path: path`/wallets/${walletId}/activity`, access: "tenant", query }, options);
  }

  /**
   * Adds test tokens to a test wallet. No blockchain is involved. Fails with `live_wallet` in live mode, and for a live
   * wallet of the account. Fails with `wallet_frozen` if the wallet is frozen with mode `full`. Requires the scope
   * `wallets:write`.
   */
  fund(walletId: string, body: WalletFundRequest, options?: RequestOptions): ApiPromise<WalletFunding> {
    return this.request({ method: "POST", path: path`/wallets/${walletId}/fund`, access: "tenant", body }, options);
  }

  /**
   * Freezes the wallet: from the response on, no payment leaves it. Payments that wait for an approval or a capture are
   * canceled. A frozen wallet remains as it is, unless the new freeze is stricter: `full` instead of `outgoing_only`,
   * or by an admin. A key that is bound to an agent can freeze the agent's wallets, but cannot unfreeze them. Requires
   * the scope `wallets:freeze`.
   */
  freeze(walletId: string, body: WalletFreezeRequest, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "POST", path: path`/wallets/${walletId}/freeze`, access: "tenant", body }, options);
  }

  /**
   * Freezes the wallet like `POST /wallets/{wallet_id}/freeze`, then its account on the chain, and returns a signed
   * proof. Then the account executes nothing any more, also nothing that was signed before. An account that is not
   * deployed is deployed frozen. Waits up to 20 seconds until a block contains the freeze. If it is still `pending`
   * then, Purser continues, and `GET /wallets/{wallet_id}` shows the outcome. After 10 minutes it is `failed`; Purser
   * goes on, and repeating the request gives it 10 more minutes. The wallet is frozen in Purser in any case. Test mode
   * has no chain: the freeze of the account is `simulated`. Requires the scope `wallets:freeze`.
   */
  freezeOnChain(walletId: string, body: WalletFreezeRequest, options?: RequestOptions): ApiPromise<WalletFreezeReport> {
    return this.request({ method: "POST", path: path`/wallets/${walletId}/freeze-on-chain`, access: "tenant", body }, options);
  }

  /**
   * Lifts the developer's own freeze. Fails with `admin_review_required` if an admin froze the wallet. Keys that are
   * bound to agents are refused. Does nothing if the wallet is not frozen. An account that is frozen on its chain is
   * unfrozen there first. If that takes longer than 20 seconds, the response is 503 `network_unavailable`: the wallet
   * has the status `unfreezing` and stays frozen, Purser goes on, and the request can be repeated to see the outcome.
   * If the wallet's agent is not active, no payment leaves the wallet even then. Requires the scope `wallets:freeze`.
   */
  unfreeze(walletId: string, body: WalletUnfreezeRequest = {}, options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "POST", path: path`/wallets/${walletId}/unfreeze`, access: "tenant", body }, options);
  }
}

export interface ListPaymentsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * Returns only payments that have this status now.
   */
  readonly status?: "requires_approval" | "approved" | "queued" | "signing" | "submitted" | "confirmed" | "authorized" | "captured" | "voided" | "denied" | "rejected" | "expired" | "canceled" | "failed" | "dropped" | "refunded" | "partially_refunded";
  /**
   * Returns only payments of this agent.
   */
  readonly agent_id?: string;
  /**
   * Returns only payments from this wallet.
   */
  readonly wallet_id?: string;
  /**
   * Returns only payments that count toward the cap of this project.
   */
  readonly project_id?: string;
  /**
   * Returns only payments with exactly this reference.
   */
  readonly reference?: string;
  /**
   * Returns only payments created at this time or later.
   */
  readonly created_after?: string;
  /**
   * Returns only payments created before this time.
   */
  readonly created_before?: string;
}

export class Payments extends Resource {
  /**
   * Pays from a wallet of the agent, under the agent's policies and the project's monthly cap. In test mode the payment
   * is `confirmed` at once. In live mode it is `queued`, then `submitted` to its network, and `confirmed` when a final
   * block contains it; one that the network does not execute ends `failed` or `dropped`, and costs nothing. With the
   * execution `authorize_only` it is `authorized`. If a policy or the cap requires an approval, the response is 202 and
   * nothing is reserved until a person approves. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`,
   * `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`. A refusal makes no payment, and the same
   * request stays refused. Live payments fail with `network_unavailable` while their network does not answer. Requires
   * the scope `payments:write`.
   */
  send(body: PaymentSendRequest, options?: RequestOptions): ApiPromise<PaymentOrSimulation> {
    return this.request({ method: "POST", path: "/payments/send", access: "signed", body }, { agentId: body.agent_id, ...options });
  }

  /**
   * Returns what `POST /payments/send` would do with the same body: its fees, the decision of the policies, and the
   * refusal if there is one. Changes nothing. Requires the scope `payments:write`.
   */
  simulate(body: PaymentSendRequest, options?: RequestOptions): ApiPromise<PaymentSimulation> {
    return this.request({ method: "POST", path: "/payments/simulate", access: "signed", body }, { agentId: body.agent_id, ...options });
  }

  /**
   * Returns payments, newest first. A key that is bound to agents gets the payments that these agents made or received.
   * Requires the scope `payments:read`.
   */
  list(query: ListPaymentsQuery = {}, options?: RequestOptions): PagePromise<Payment, PaymentList> {
    return this.pages({ method: "GET", path: "/payments", access: "tenant", query }, options);
  }

  /**
   * Returns a payment. A key that is bound to agents can read the payments that these agents made or received. Requires
   * the scope `payments:read`.
   */
  get(paymentId: string, options?: RequestOptions): ApiPromise<Payment> {
    return this.request({ method: "GET", path: path`/payments/${paymentId}`, access: "tenant" }, options);
  }

  /**
   * Pays the payee at most the amount that is held, once, and releases the rest. In live mode the payment is `queued`,
   * and `captured` when a final block contains it. `X-Agent-ID` must name the agent that made the payment; only a
   * dashboard session can leave it out. Fails with `agent_suspended` if the agent is not active, with `wallet_frozen`
   * if its wallet is frozen, and with `conflict` unless the payment is `authorized`. An authorization has expired from
   * the very second of `expires_at`. Requires the scope `payments:write`.
   */
  capture(paymentId: string, body: CapturePaymentRequest = {}, options?: RequestOptions): ApiPromise<Payment> {
    return this.request({ method: "POST", path: path`/payments/${paymentId}/capture`, access: "tenant", body }, options);
  }

  /**
   * Releases everything that is held for the payment, also if its wallet is frozen. `X-Agent-ID` must name the agent
   * that made the payment; only a dashboard session can leave it out. Fails with `conflict` unless the payment is
   * `authorized`. Requires the scope `payments:write`.
   */
  void(paymentId: string, options?: RequestOptions): ApiPromise<Payment> {
    return this.request({ method: "POST", path: path`/payments/${paymentId}/void`, access: "tenant" }, options);
  }

  /**
   * Moves an amount from the payee's wallet back to the wallet that paid. `X-Agent-ID` must name the agent that was
   * paid; only a dashboard session can leave it out. Refunds never exceed what was paid. Fails with `not_refundable` in
   * live mode, and unless the payee is a wallet of the same account and was paid, with `agent_suspended` if the payee's
   * agent is not active, with `wallet_frozen` if the payee's wallet is frozen or the payer's accepts no money, and with
   * `insufficient_funds` if the payee's wallet has too little. The project's spending falls if the payment counts in
   * the current month. Limits of policies count the payment as before. Requires the scope `payments:write`.
   */
  refund(paymentId: string, body: RefundPaymentRequest = {}, options?: RequestOptions): ApiPromise<Payment> {
    return this.request({ method: "POST", path: path`/payments/${paymentId}/refund`, access: "tenant", body }, options);
  }

  /**
   * Ends a payment that waits for an approval, a capture or its turn on a network, also if its wallet is frozen.
   * Releases everything that is held for it, and cancels its pending approval. Fails with `conflict` unless the payment
   * is `requires_approval`, `authorized` or `queued`. Requires the scope `payments:write`.
   */
  cancel(paymentId: string, options?: RequestOptions): ApiPromise<Payment> {
    return this.request({ method: "POST", path: path`/payments/${paymentId}/cancel`, access: "tenant" }, options);
  }
}

export interface GetRateQuery {
  /**
   * The source currency. Default: `usdc`.
   */
  readonly source?: string;
  /**
   * The destination currency. Default: `usd`.
   */
  readonly dest?: string;
}

export class Fiat extends Resource {
  readonly accounts: FiatAccounts = new FiatAccounts(this.transport());
  readonly conversions: FiatConversions = new FiatConversions(this.transport());
  /**
   * Returns a token with which Plaid Link runs in a browser. There the user logs in at the bank and chooses an account.
   * Send the public token that Plaid Link returns to verify-account. Ten tokens can be open; the oldest is dropped.
   * Fails with `provider_not_configured` if this server has no Plaid account. Requires the scope `fiat:write`.
   */
  linkAccount(body: LinkAccountRequest = {}, options?: RequestOptions): ApiPromise<LinkToken> {
    return this.request({ method: "POST", path: "/fiat/link-account", access: "tenant", body }, options);
  }

  /**
   * Exchanges the public token of a link that this account has started, compares the owner's name, stores the personal
   * data in a vault, and starts the identification of the holder. A public token makes one account. All accounts of a
   * mode have one holder: otherwise fails with `conflict`. Fails with `bank_link_not_found` for the public token of no
   * open link, and with `owner_mismatch` in `errors` if the bank knows the owner by another name; the user must then
   * link again. After a 503 or another 422, the same request can be repeated or corrected within an hour. Requires the
   * scope `fiat:write`.
   */
  verifyAccount(body: VerifyAccountRequest, options?: RequestOptions): ApiPromise<VerifiedAccount> {
    return this.request({ method: "POST", path: "/fiat/verify-account", access: "tenant", body }, options);
  }

  /**
   * Returns what one unit of `source` is worth in `dest`. The pairs are `usdc`, `usdt` and `pyusd` with `usd`, and
   * `usdc` with `eur`, `mxn`, `brl` and `gbp`, in both directions. Only `usd` can be converted; the other rates are for
   * information. Fails with `unsupported_pair` for any other pair. Requires the scope `fiat:read`.
   */
  rate(query: GetRateQuery = {}, options?: RequestOptions): ApiPromise<ExchangeRate> {
    return this.request({ method: "GET", path: "/fiat/rate", access: "tenant", query }, options);
  }

  /**
   * Converts dollars that you send from a linked bank account into USDC in a wallet. Send the dollars as
   * `deposit_instructions` says; the tokens arrive after the dollars. Refusals are asked in this order:
   * `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`, `insufficient_funds`, then
   * `conflict` if the bank account is not verified or its holder not approved. Policies decide only if an agent acts:
   * with `X-Agent-ID`, or a key that is bound to agents. A rule that requires an approval refuses. Live conversions
   * fail with `network_unavailable` for a wallet of a test network, and while its network cannot be used. Requires the
   * scope `fiat:write`.
   */
  onRamp(body: OnRampRequest, options?: RequestOptions): ApiPromise<Conversion> {
    return this.request({ method: "POST", path: "/fiat/on-ramp", access: "tenant", body }, options);
  }

  /**
   * Converts USDC of a wallet into dollars in a linked bank account. The tokens are held at once, and count toward the
   * cap of the agent's project. Refusals are asked in this order: `agent_suspended`, `wallet_frozen`, `kya_required`,
   * `policy_denied`, `cap_exceeded`, `insufficient_funds`, then `conflict` if the bank account is not verified or its
   * holder not approved. Policies decide only if an agent acts: with `X-Agent-ID`, or a key that is bound to agents. A
   * rule that requires an approval refuses. Live conversions fail with `network_unavailable` for a wallet of a test
   * network, and while its network cannot be used. Requires the scope `fiat:write`.
   */
  offRamp(body: OffRampRequest, options?: RequestOptions): ApiPromise<Conversion> {
    return this.request({ method: "POST", path: "/fiat/off-ramp", access: "tenant", body }, options);
  }
}

export interface ListApprovalsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * Returns only approvals that have this status now.
   */
  readonly status?: "pending" | "approved" | "denied" | "expired" | "canceled";
  /**
   * Returns only approvals of what this agent requested.
   */
  readonly agent_id?: string;
}

export interface GetApprovalQuery {
  /**
   * How long to wait for the decision. The response comes as soon as the approval is no longer pending. Default: 0.
   */
  readonly wait_seconds?: number;
}

export class Approvals extends Resource {
  /**
   * Returns approvals, newest first. A key that is bound to agents gets the approvals of what these agents requested.
   * Requires the scope `approvals:read`.
   */
  list(query: ListApprovalsQuery = {}, options?: RequestOptions): PagePromise<Approval, ApprovalList> {
    return this.pages({ method: "GET", path: "/approvals", access: "tenant", query }, options);
  }

  /**
   * Returns an approval, with its `outcome` when it is no longer pending. With `wait_seconds`, a pending approval is
   * returned as soon as it is decided, or unchanged after this time. At most 100 requests of an account can wait at the
   * same time; others fail with 429 `rate_limited`. Requires the scope `approvals:read`.
   */
  get(approvalId: string, query: GetApprovalQuery = {}, options?: RequestOptions): ApiPromise<Approval> {
    return this.request({ method: "GET", path: path`/approvals/${approvalId}`, access: "tenant", query }, options);
  }

  /**
   * Approves what waits for this approval, which then continues. It is checked again, so it can still be refused: then
   * its own status says why. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to
   * agents. Fails with 409 `conflict` if the approval is no longer pending. Requires the scope `approvals:write`.
   */
  approve(approvalId: string, body: DecideApprovalRequest = {}, options?: RequestOptions): ApiPromise<Approval> {
    return this.request({ method: "POST", path: path`/approvals/${approvalId}/approve`, access: "tenant", body }, options);
  }

  /**
   * Denies what waits for this approval, which then ends. Needs a dashboard session, or a key with the scope
   * `approvals:write` that is not bound to agents. Fails with 409 `conflict` if the approval is no longer pending.
   * Requires the scope `approvals:write`.
   */
  deny(approvalId: string, body: DecideApprovalRequest = {}, options?: RequestOptions): ApiPromise<Approval> {
    return this.request({ method: "POST", path: path`/approvals/${approvalId}/deny`, access: "tenant", body }, options);
  }
}

export interface ListKillSwitchesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export class KillSwitches extends Resource {
  /**
   * Stops an agent, a project or all of the developer's account, in the caller's mode: suspends agents, freezes
   * wallets, cancels what waits for an approval, suspends projects, whose environments can then not be pulled, and
   * revokes API keys, the calling key last. Nothing is created below the target meanwhile. Waits up to 20 seconds. If
   * the status is then still `running`, Purser continues, and `GET` returns the result. The same target again gets the
   * kill switch that is running. Undo it by resuming agents, unfreezing wallets and setting the project's `status`.
   * Fails with `agent_not_found`, `project_not_found`, `developer_not_found`, and with `conflict` after 10 kill
   * switches with the same API key in an hour; with scope `developer` the call then returns the last one of that hour.
   * Dashboard sessions have no limit. Requires the scope `kill_switch:write`.
   */
  trigger(body: KillSwitchRequest, options?: RequestOptions): ApiPromise<KillSwitch> {
    return this.request({ method: "POST", path: "/kill-switch", access: "tenant", body }, options);
  }

  /**
   * Returns the kill switches in the caller's mode, newest first, with the numbers of their targets.
   */
  list(query: ListKillSwitchesQuery = {}, options?: RequestOptions): PagePromise<KillSwitchSummary, KillSwitchSummaryList> {
    return this.pages({ method: "GET", path: "/kill-switch", access: "tenant", query }, options);
  }

  /**
   * Returns a kill switch with its report and its proof.
   */
  get(killSwitchId: string, options?: RequestOptions): ApiPromise<KillSwitch> {
    return this.request({ method: "GET", path: path`/kill-switch/${killSwitchId}`, access: "tenant" }, options);
  }

  /**
   * Runs a kill switch again: kills what is not dead, also what was created or resumed since, and reports anew. Returns
   * a kill switch that is running as it is. Fails with `conflict` while another kill switch of the same target is
   * running. Requires the scope `kill_switch:write`.
   */
  reconcile(killSwitchId: string, options?: RequestOptions): ApiPromise<KillSwitch> {
    return this.request({ method: "POST", path: path`/kill-switch/${killSwitchId}/reconcile`, access: "tenant" }, options);
  }
}

export interface ListEventsQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * The id of an event. Returns the events after it, oldest first.
   */
  readonly after?: string;
  /**
   * An event type such as `payment.confirmed`, all types of a subject such as `payment.*`, or `*` for all.
   */
  readonly type?: EventTypePattern;
  /**
   * Returns only events of the subject with this id.
   */
  readonly subject_id?: string;
  /**
   * Returns only events of this project, and of what belongs to it.
   */
  readonly project_id?: string;
  /**
   * Returns only events of this agent, of what belongs to it, and of what it did.
   */
  readonly agent_id?: string;
}

export interface StreamEventsQuery {
  /**
   * An event type such as `payment.confirmed`, all types of a subject such as `payment.*`, or `*` for all.
   */
  readonly type?: EventTypePattern;
  /**
   * Returns only events of the subject with this id.
   */
  readonly subject_id?: string;
  /**
   * Returns only events of this project, and of what belongs to it.
   */
  readonly project_id?: string;
  /**
   * Returns only events of this agent, of what belongs to it, and of what it did.
   */
  readonly agent_id?: string;
}

export class Events extends Resource {
  /**
   * Returns the events of the last 30 days, newest first. With `after`, returns the events after that one, oldest
   * first: a program that polls sends the id of the last event that it has. With a filter or long events, a page can
   * have few or no events even if `has_more` is true. Requires the scope `events:read`.
   */
  list(query: ListEventsQuery = {}, options?: RequestOptions): PagePromise<Event, EventList> {
    return this.pages({ method: "GET", path: "/events", access: "tenant", query }, options);
  }

  /**
   * Returns an event of the last 30 days. Requires the scope `events:read`.
   */
  get(eventId: string, options?: RequestOptions): ApiPromise<Event> {
    return this.request({ method: "GET", path: path`/events/${eventId}`, access: "tenant" }, options);
  }
}

export interface ListWebhooksQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
}

export interface ListWebhookDeliveriesQuery {
  /**
   * The `next_cursor` of the previous page.
   */
  readonly cursor?: string;
  /**
   * Maximum number of items per page. Default: 20.
   */
  readonly limit?: number;
  /**
   * Returns only deliveries that have this status now.
   */
  readonly status?: "pending" | "delivered" | "failed";
}

export class Webhooks extends Resource {
  /**
   * Sends the events of the mode from now on to a URL, signed as Standard Webhooks 1.0 says. The secret is returned
   * only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. Requires the
   * scope `webhooks:write`.
   */
  create(body: CreateWebhookRequest, options?: RequestOptions): ApiPromise<WebhookWithSecret> {
    return this.request({ method: "POST", path: "/webhooks", access: "tenant", body }, options);
  }

  /**
   * Returns the webhooks of the mode, newest first. Requires the scope `webhooks:read`.
   */
  list(query: ListWebhooksQuery = {}, options?: RequestOptions): PagePromise<Webhook, WebhookList> {
    return this.pages({ method: "GET", path: "/webhooks", access: "tenant", query }, options);
  }

  /**
   * Returns a webhook, and whether it fails. Requires the scope `webhooks:read`.
   */
  get(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.request({ method: "GET", path: path`/webhooks/${webhookId}`, access: "tenant" }, options);
  }

  /**
   * Changes the fields that are sent. A webhook that is disabled gives up what it waits for. One that is enabled again
   * gets the events from now on; replay those that it has missed. Requires the scope `webhooks:write`.
   */
  update(webhookId: string, body: UpdateWebhookRequest = {}, options?: RequestOptions): ApiPromise<Webhook> {
    return this.request({ method: "PATCH", path: path`/webhooks/${webhookId}`, access: "tenant", body }, options);
  }

  /**
   * Deletes a webhook, its secrets and its deliveries. What waits is not delivered. Requires the scope
   * `webhooks:write`.
   */
  delete(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.request({ method: "DELETE", path: path`/webhooks/${webhookId}`, access: "tenant" }, options);
  }

  /**
   * Returns a new secret. For 24 hours, deliveries are signed with the new secret and with the one before it; a secret
   * older than these two stops working immediately. Requires the scope `webhooks:write`.
   */
  rotateSecret(webhookId: string, options?: RequestOptions): ApiPromise<WebhookWithSecret> {
    return this.request({ method: "POST", path: path`/webhooks/${webhookId}/rotate-secret`, access: "tenant" }, options);
  }

  /**
   * Sends the event `webhook.test` once, also to a disabled webhook, and returns what the server answered. The event is
   * not in the event log, and the delivery is not in the list of deliveries. Requires the scope `webhooks:write`.
   */
  test(webhookId: string, options?: RequestOptions): ApiPromise<WebhookDelivery> {
    return this.request({ method: "POST", path: path`/webhooks/${webhookId}/test`, access: "tenant" }, options);
  }

  /**
   * Delivers events of the last 30 days again: either all `since` a time, in their order, or those in `event_ids`.
   * Fails with `conflict` if the webhook is disabled. Requires the scope `webhooks:write`.
   */
  replay(webhookId: string, body: ReplayWebhookRequest = {}, options?: RequestOptions): ApiPromise<WebhookReplay> {
    return this.request({ method: "POST", path: path`/webhooks/${webhookId}/replay`, access: "tenant", body }, options);
  }

  /**
   * Returns the deliveries of the last 30 days, those of the newest events first, each with its last attempt and the
   * start of the answer. Requires the scope `webhooks:read`.
   */
  deliveries(webhookId: string, query: ListWebhookDeliveriesQuery = {}, options?: RequestOptions): PagePromise<WebhookDelivery, WebhookDeliveryList> {
    return this.pages({ method: "GET", path: path`/webhooks/${webhookId}/deliveries`, access: "tenant", query }, options);
  }
}

export class Admin extends Resource {
  /**
   * The first step of an admin login. Returns a token for `POST /admin/login/totp`, which expires after five minutes or
   * five attempts. Fails with `rate_limited` after five unfinished logins within 15 minutes for one email address from
   * one network.
   */
  logIn(body: AdminLoginRequest, options?: RequestOptions): ApiPromise<AdminLoginChallenge> {
    return this.request({ method: "POST", path: "/admin/login", access: "public", body }, options);
  }

  /**
   * The second step of an admin login. Returns an access token in the body and, for browsers, in an HttpOnly cookie.
   * The token is valid for ten minutes and cannot be refreshed. Each code is valid once. Fails with `rate_limited`
   * after 20 wrong codes within one hour.
   */
  finishLogin(body: AdminTotpRequest, options?: RequestOptions): ApiPromise<AdminSession> {
    return this.request({ method: "POST", path: "/admin/login/totp", access: "public", body }, options);
  }

  /**
   * Ends the session that the access token belongs to and clears the cookie. The response is the same for valid,
   * expired and unknown tokens.
   */
  logOut(options?: RequestOptions): ApiPromise<void> {
    return this.request({ method: "POST", path: "/admin/logout", access: "public" }, options);
  }
}
