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
    return this.#transport.request({ method: "GET", path: "/developers/captcha", access: "public" }, options);
  }

  /** Creates a developer account. The response is the same if the email address already has an account. */
  signUp(body: SignupRequest, options?: RequestOptions): ApiPromise<Signup> {
    return this.#post("/developers/signup", body, options);
  }

  /**
   * Verifies an email address.
   *
   * @param token from the URL in the verification email
   * @throws ValidationError if the token was used before.
   */
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

  /** Completes a login that returned `mfa_required`. `code` is a TOTP code or a recovery code. */
  logInWithSecondFactor(
    body: { readonly mfa_token: string; readonly code: string },
    options?: RequestOptions,
  ): ApiPromise<Session> {
    return this.#post("/developers/login/totp", body, options);
  }

  /** Emails a URL for setting a new password. The response is the same if the email address is unknown. */
  forgotPassword(
    body: { readonly email: string; readonly captcha_token?: string },
    options?: RequestOptions,
  ): ApiPromise<{ readonly status: "accepted" }> {
    return this.#post("/developers/password/forgot", body, options);
  }

  /**
   * Sets a new password and ends all sessions. `token` is in the URL that `forgotPassword` emails. It works once.
   *
   * If the account's ownership is confirmed (docs/api.md, section 16.1), the second factor is kept, and the API keys
   * are revoked only if `revoke_keys` is true.
   *
   * If the ownership is not confirmed, the second factor, the linked identities and the profile are removed, and the
   * API keys are revoked unless `keep_keys` is true.
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

  /**
   * Returns new tokens. Each refresh token works once, and the returned session contains the next one. After a lost
   * response, the same token works again for 20 seconds.
   */
  refresh(body: { readonly refresh_token: string }, options?: RequestOptions): ApiPromise<Session> {
    return this.#post("/developers/token/refresh", body, options);
  }

  logOut(
    body: { readonly refresh_token: string; readonly all_sessions?: boolean },
    options?: RequestOptions,
  ): ApiPromise<void> {
    return this.#post("/developers/logout", body, options);
  }

  /**
   * Creates the signed-in developer's API profile and first key pair.
   *
   * @throws ConflictError if the profile already exists.
   */
  register(body: DeveloperRegisterRequest = {}, options?: RequestOptions): ApiPromise<RegisteredDeveloper> {
    return this.#transport.request(
      { method: "POST", path: "/developers/register", access: "dashboard", body },
      options,
    );
  }

  getDashboardProfile(options?: RequestOptions): ApiPromise<Developer> {
    return this.#transport.request({ method: "GET", path: "/developers/dashboard/me", access: "dashboard" }, options);
  }

  updateDashboardProfile(body: UpdateDashboardProfileRequest, options?: RequestOptions): ApiPromise<Developer> {
    return this.#transport.request(
      { method: "PUT", path: "/developers/dashboard/me", access: "dashboard", body },
      options,
    );
  }

  me(options?: RequestOptions): ApiPromise<Developer> {
    return this.#transport.request({ method: "GET", path: "/developers/me", access: "tenant" }, options);
  }

  #post<Data>(route: string, body: object, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request({ method: "POST", path: route, access: "public", body }, options);
  }
}
