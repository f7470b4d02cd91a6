import type { ApiPromise } from "../api-promise.ts";
import type {
  Captcha,
  Developer,
  DeveloperLoginRequest,
  DeveloperRegisterRequest,
  MfaRequired,
  RegisteredDeveloper,
  Session,
  Signup,
  SignupRequest,
  UpdateDashboardProfileRequest,
  VerifiedEmail,
} from "../api-types.ts";
import type { RequestOptions, Transport } from "../transport.ts";
import { DeveloperDevices } from "./developer-devices.ts";
import { DeveloperIdentities } from "./developer-identities.ts";
import { DeveloperKeys } from "./developer-keys.ts";
import { DeveloperSecondFactor } from "./developer-second-factor.ts";
import { DeveloperSessions } from "./developer-sessions.ts";
import { DeveloperProviderKeys } from "./provider-keys.ts";

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

  captcha(options?: RequestOptions): ApiPromise<Captcha> {
    return this.#transport.request(
      { method: "GET", path: "/developers/captcha", access: "public" },
      options,
    );
  }

  /** The answer is the same for an address that is known already. */
  signUp(body: SignupRequest, options?: RequestOptions): ApiPromise<Signup> {
    return this.#post("/developers/signup", body, options);
  }

  /** `token` is that of the mailed link. It works once; another time it is a `ValidationError`. */
  verifyEmail(token: string, options?: RequestOptions): ApiPromise<VerifiedEmail> {
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

  logIn(body: DeveloperLoginRequest, options?: RequestOptions): ApiPromise<Session | MfaRequired> {
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
  register(
    body: DeveloperRegisterRequest = {},
    options?: RequestOptions,
  ): ApiPromise<RegisteredDeveloper> {
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
