import type { ApiPromise } from "../api-promise.ts";
import type { Mode } from "../settings.ts";
import type { RequestOptions, Transport } from "../transport.ts";
import { DeveloperDevices } from "./developer-devices.ts";
import { DeveloperIdentities } from "./developer-identities.ts";
import { type ApiKey, DeveloperKeys } from "./developer-keys.ts";
import { DeveloperSecondFactor } from "./developer-second-factor.ts";
import { DeveloperSessions } from "./developer-sessions.ts";
import { DeveloperProviderKeys } from "./provider-keys.ts";

/** An ALTCHA challenge, in that library's own shape. Its solution is the `captcha_token`. */
export type CaptchaChallenge = Readonly<Record<string, unknown>>;

export interface SignUpRequest {
  readonly email: string;
  /** 12 to 128 characters. */
  readonly password: string;
  readonly captcha_token: string;
  readonly name?: string;
  readonly company_name?: string;
  /** ISO 3166-1, two letters. */
  readonly country?: string;
  readonly accept_terms_version?: string;
}

export interface SignUpAnswer {
  readonly status: "verification_sent";
  readonly email: string;
  readonly verification_expires_at: string;
}

export interface EmailVerified {
  readonly status: "verified";
  readonly redirect_url: string;
}

export interface LogInRequest {
  readonly email: string;
  readonly password: string;
  /** Asked for after five failures. */
  readonly captcha_token?: string;
  readonly totp_code?: string;
}

export interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_expires_in: number;
  readonly developer: Developer;
}

/** Logging in wants a second factor; there is no session yet. */
export interface MfaRequired {
  readonly mfa_required: true;
  readonly mfa_token: string;
  readonly methods: readonly ("totp" | "recovery_code")[];
}

export interface Developer {
  readonly object: "developer";
  readonly developer_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly company_name: string | null;
  readonly website: string | null;
  readonly country: string | null;
  readonly timezone: string;
  readonly billing_email: string | null;
  readonly notification_preferences: Readonly<Record<string, boolean>>;
  readonly status: "pending_verification" | "active" | "suspended" | "closed";
  readonly email_verified: boolean;
  readonly kyb: {
    readonly status: "unverified" | "pending" | "verified" | "rejected" | "revoked" | "expired";
    readonly verified_at: string | null;
    readonly expires_at: string | null;
    readonly reference: string | null;
  };
  readonly mfa_enabled: boolean;
  readonly auth_methods: readonly string[];
  readonly live_access: boolean;
  readonly capabilities: Readonly<
    Record<string, "unrequested" | "pending" | "active" | "inactive">
  >;
  readonly requirements: Readonly<Record<string, { readonly status: string }>>;
  readonly limits: { readonly agents: number | null; readonly projects: number | null };
  readonly default_policy_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An absent field keeps what is there, null clears it. */
export interface UpdateDashboardProfileRequest {
  readonly name?: string | null;
  readonly company_name?: string | null;
  readonly website?: string | null;
  readonly country?: string | null;
  readonly timezone?: string | null;
  readonly billing_email?: string | null;
  readonly notification_preferences?: {
    readonly approvals?: boolean | null;
    readonly caps?: boolean | null;
    readonly security?: boolean | null;
    readonly product?: boolean | null;
  } | null;
}

export interface RegisterRequest {
  readonly company_name?: string;
  readonly key_name?: string;
  /** Default `live`. */
  readonly mode?: Mode;
  readonly signature_alg?: "hmac-sha256" | "ed25519";
  /** Base64url, for `ed25519`. */
  readonly public_key?: string;
  readonly proof?: string;
}

/** The one answer that carries the pair. The service keeps no secret: store it now. */
export interface Registration {
  readonly developer: Developer;
  readonly key: ApiKey;
  readonly api_key: string;
  /** Null for an Ed25519 key, which signs with a private key of your own. */
  readonly api_secret: string | null;
  readonly warning: string;
}

export class Developers {
  readonly keys: DeveloperKeys;
  readonly providerKeys: DeveloperProviderKeys;
  readonly secondFactor: DeveloperSecondFactor;
  readonly sessions: DeveloperSessions;
  readonly identities: DeveloperIdentities;
  readonly devices: DeveloperDevices;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.keys = new DeveloperKeys(transport);
    this.secondFactor = new DeveloperSecondFactor(transport);
    this.sessions = new DeveloperSessions(transport);
    this.identities = new DeveloperIdentities(transport);
    this.devices = new DeveloperDevices(transport);
    this.providerKeys = new DeveloperProviderKeys(transport);
  }

  captcha(options?: RequestOptions): ApiPromise<CaptchaChallenge> {
    return this.#transport.request(
      { method: "GET", path: "/developers/captcha", access: "public" },
      options,
    );
  }

  /** The answer is the same for an address that is known already. */
  signUp(body: SignUpRequest, options?: RequestOptions): ApiPromise<SignUpAnswer> {
    return this.#post("/developers/signup", body, options);
  }

  /** `token` is that of the mailed link. It works once; another time it is a `ValidationError`. */
  verifyEmail(token: string, options?: RequestOptions): ApiPromise<EmailVerified> {
    return this.#transport.request(
      { method: "GET", path: "/developers/verify-email", access: "public", query: { token } },
      options,
    );
  }

  resendVerification(
    body: { readonly email: string; readonly captcha_token?: string },
    options?: RequestOptions,
  ): ApiPromise<{ readonly status: "accepted" }> {
    return this.#post("/developers/resend-verification", body, options);
  }

  logIn(body: LogInRequest, options?: RequestOptions): ApiPromise<Session | MfaRequired> {
    return this.#post("/developers/login", body, options);
  }

  /** Finishes a login that answered `mfa_required`, with a code of the device or a recovery code. */
  logInWithSecondFactor(
    body: { readonly mfa_token: string; readonly code: string },
    options?: RequestOptions,
  ): ApiPromise<Session> {
    return this.#post("/developers/login/totp", body, options);
  }

  /** Has a link mailed by which a new password is chosen. The answer is the same for an address that is unknown. */
  forgotPassword(
    body: { readonly email: string; readonly captcha_token?: string },
    options?: RequestOptions,
  ): ApiPromise<{ readonly status: "accepted" }> {
    return this.#post("/developers/password/forgot", body, options);
  }

  /**
   * `token` is that of the mailed link. It works once, and ends every session. API keys and second factor of a proven account
   * stay unless `revoke_keys` is true; of any other account they are withdrawn, the keys unless `keep_keys` is true.
   */
  resetPassword(
    body: {
      readonly token: string;
      readonly password: string;
      readonly keep_keys?: boolean;
      readonly revoke_keys?: boolean;
    },
    options?: RequestOptions,
  ): ApiPromise<{ readonly status: "password_reset" }> {
    return this.#post("/developers/password/reset", body, options);
  }

  /** A refresh token works once: the session that comes back carries the next one. */
  refresh(body: { readonly refresh_token: string }, options?: RequestOptions): ApiPromise<Session> {
    return this.#post("/developers/token/refresh", body, options);
  }

  logOut(
    body: { readonly refresh_token: string; readonly all_sessions?: boolean },
    options?: RequestOptions,
  ): ApiPromise<void> {
    return this.#post("/developers/logout", body, options);
  }

  /** Makes the API profile of the developer who is signed in, and its first key pair. A second time is a `ConflictError`. */
  register(body: RegisterRequest = {}, options?: RequestOptions): ApiPromise<Registration> {
    return this.#transport.request(
      { method: "POST", path: "/developers/register", access: "dashboard", body },
      options,
    );
  }

  getDashboardProfile(options?: RequestOptions): ApiPromise<Developer> {
    return this.#transport.request(
      { method: "GET", path: "/developers/dashboard/me", access: "dashboard" },
      options,
    );
  }

  updateDashboardProfile(
    body: UpdateDashboardProfileRequest,
    options?: RequestOptions,
  ): ApiPromise<Developer> {
    return this.#transport.request(
      { method: "PUT", path: "/developers/dashboard/me", access: "dashboard", body },
      options,
    );
  }

  me(options?: RequestOptions): ApiPromise<Developer> {
    return this.#transport.request(
      { method: "GET", path: "/developers/me", access: "tenant" },
      options,
    );
  }

  #post<Data>(route: string, body: object, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request(
      { method: "POST", path: route, access: "public", body },
      options,
    );
  }
}
