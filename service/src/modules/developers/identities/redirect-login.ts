import type { App } from "../../../app.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { codeChallengeOf, deriveSecret, newSecretToken } from "../../../crypto/secret-token.ts";
import { equalInConstantTime, sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, authenticationFailed, invalidField } from "../../../foundation/errors.ts";
import { displayNameOf } from "../../../foundation/vendors.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import type { RedirectLogin } from "../../../ports/identity-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { UNKNOWN_TENANT } from "../developers.ts";
import { type IdentityLogin, type IdentityLoginAccess, logInAsIdentity } from "./log-in-as-identity.ts";
import { loginStateRows, useLoginState } from "./queries.ts";

/**
 * Returns the URL to which the provider redirects browsers after a login. The operator must register it with the
 * provider.
 */
function loginReturnUrlOf({ settings }: Pick<App, "settings">, provider: IdentityProviderName): string {
  return `${settings.publicUrl}/login/${provider}/return`;
}

/** Returns the login adapter for the provider. Throws `not_found` if the provider is not configured. */
function requireRedirectLogin(
  { identityProviders }: Pick<App, "identityProviders">,
  provider: IdentityProviderName,
): RedirectLogin {
  const login = identityProviders[provider];
  if (login === null) throw notConfigured(provider);
  return login;
}

export function notConfigured(provider: IdentityProviderName): AppError {
  return new AppError("not_found", {
    detail: `Login with ${displayNameOf(provider)} is not configured. Use another way to log in.`,
  });
}

const MINUTES_TO_COMPLETE = 10;
/** Call limit per network, so that an unauthenticated caller cannot insert many rows. */
const CALLS = { limit: 30, windowMs: 60_000 };

export interface StartProviderLogin {
  readonly provider: IdentityProviderName;
  /** The secret in the browser's cookie. The login can only be completed with this cookie. */
  readonly browserSecret: string;
  readonly network: string;
}

export interface BegunProviderLogin {
  readonly state: string;
  /** The provider's URL to redirect the browser to. */
  readonly authorizationUrl: string;
  readonly expiresAt: Date;
}

/**
 * Starts a login at an identity provider. The returned OAuth `state` can be used once, within ten minutes, in the same
 * browser.
 */
export async function startProviderLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "identityProviders">,
  { provider, browserSecret, network }: StartProviderLogin,
): Promise<BegunProviderLogin> {
  const login = requireRedirectLogin(app, provider);
  enforceCallLimit(await countCall(app, `login-state:${network}`, CALLS));
  const { token: state } = newSecretToken();
  const { stateHash, browserHash, codeChallenge, nonce } = loginSecretsOf({ state, browserSecret });
  const redirectUri = loginReturnUrlOf(app, provider);
  const createdAt = app.clock.now();
  const expiresAt = new Date(createdAt.getTime() + MINUTES_TO_COMPLETE * 60_000);
  await withTransaction(app.db, UNKNOWN_TENANT, (tx) =>
    loginStateRows.insert(tx, {
      stateHash,
      provider,
      browserHash,
      redirectUri,
      expiresAt,
      createdAt,
    }),
  );
  const authorizationUrl = login.authorizationUrl({ state, redirectUri, codeChallenge, nonce });
  return { state, authorizationUrl, expiresAt };
}

export interface LogInByRedirect {
  readonly provider: IdentityProviderName;
  readonly state: string;
  /** The authorization code from the provider's redirect. */
  readonly code: string;
  /** The secret in the browser's cookie. Undefined if the browser sent no cookie. */
  readonly browserSecret: string | undefined;
  /**
   * The server knows the redirect URI and the PKCE verifier, so the client can omit `redirectUri` and `codeVerifier`.
   * If sent, they must match the server's values.
   */
  readonly redirectUri?: string | undefined;
  readonly codeVerifier?: string | undefined;
  readonly client: ClientInfo;
}

/**
 * Completes a login that was started at a provider. Marks `state` as used before calling the provider, so that only one
 * of several concurrent calls continues.
 */
export async function logInByRedirect(
  app: IdentityLoginAccess,
  { provider, state, code, browserSecret, client, ...expected }: LogInByRedirect,
): Promise<IdentityLogin> {
  const login = requireRedirectLogin(app, provider);
  assertRedirectUri(expected.redirectUri, loginReturnUrlOf(app, provider));
  if (browserSecret === undefined) throw invalidState("missing login cookie");
  const { stateHash, browserHash, codeVerifier, nonce } = loginSecretsOf({ state, browserSecret });
  assertCodeVerifier(expected.codeVerifier, codeVerifier);

  const at = app.clock.now();
  const used = await withTransaction(app.db, UNKNOWN_TENANT, (tx) =>
    useLoginState(tx, { stateHash, provider, browserHash, at }),
  );
  if (used === undefined) throw invalidState("the state is unknown, used or expired, or belongs to another browser");
  const { redirectUri } = used;
  const identity = await callProvider(app, login.identify({ code, redirectUri, codeVerifier, nonce }));
  return logInAsIdentity(app, { provider, identity, client });
}

function assertRedirectUri(sent: string | undefined, expected: string): void {
  if (sent === undefined || sent === expected) return;
  throw invalidField("/body/redirect_uri", "redirect_uri", `must be ${expected}`);
}

function assertCodeVerifier(sent: string | undefined, expected: string): void {
  if (sent === undefined) return;
  if (equalInConstantTime(Buffer.from(sent), Buffer.from(expected))) return;
  throw invalidField("/body/code_verifier", "code_verifier", "does not match this login; omit it");
}

function invalidState(internal: string): AppError {
  return new AppError("invalid_state", {
    internal,
    detail: "This login is unknown, expired or already used, or was started in another browser. Start the login again.",
  });
}

/**
 * The secrets of a login in progress. `state` passes through the provider. `browserSecret` stays in the browser's
 * cookie.
 */
export interface LoginSecrets {
  readonly state: string;
  readonly browserSecret: string;
}

/**
 * Returns the hashes to store, and the PKCE verifier and nonce. The verifier and nonce are derived from both secrets,
 * so they are not stored.
 */
export function loginSecretsOf({ state, browserSecret }: LoginSecrets) {
  const codeVerifier = deriveSecret(browserSecret, ["purser-pkce-v1", state]).toString("base64url");
  return {
    stateHash: sha256Hex(state),
    browserHash: sha256Hex(browserSecret),
    codeVerifier,
    codeChallenge: codeChallengeOf(codeVerifier),
    nonce: deriveSecret(browserSecret, ["purser-nonce-v1", state]).toString("base64url"),
  };
}

/** Error codes that mean the provider rejected this installation's OAuth client, not the user's code or token. */
const CONFIGURATION_ERRORS: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "incorrect_client_credentials",
  "redirect_uri_mismatch",
  "application_suspended",
]);

/** Waits for a call to an identity provider, and converts its errors to those of the API. */
export async function callProvider<Answer>({ log }: Pick<App, "log">, call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (thrown) {
    if (!(thrown instanceof VendorError)) throw thrown;
    const { vendor, operation, vendorCode = "", failure } = thrown;
    if (CONFIGURATION_ERRORS.has(vendorCode)) {
      log.error(
        { vendor, operation, vendorCode },
        "identity provider rejected the OAuth app: check its status, client id, secret and redirect URI",
      );
    } else if (failure === "refused" || failure === "unauthorized" || failure === "not_found") {
      throw authenticationFailed(thrown.message);
    }
    throw new AppError("provider_unavailable", { internal: thrown.message, cause: thrown });
  }
}
