import { equalInConstantTime } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { callProvider } from "./call-provider.ts";
import { type IdentityLogin, type IdentityLoginAccess, logInAsIdentity } from "./log-in-as-identity.ts";
import { loginSecretsOf } from "./login-secrets.ts";
import { useLoginState } from "./queries.ts";
import { loginReturnUrlOf, requireRedirectLogin } from "./redirect-login.ts";

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
 *
 * Throws `invalid_state` if `state` is unknown, used, expired, or was created for a different browser. Throws
 * `authentication_failed` if the provider rejects the code, and `provider_unavailable` if it cannot be reached.
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
