import { equalInConstantTime } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { callProvider } from "./call-provider.ts";
import {
  type IdentityLogin,
  type IdentityLoginAccess,
  logInAsIdentity,
} from "./log-in-as-identity.ts";
import { loginSecretsOf } from "./login-secrets.ts";
import { useLoginState } from "./queries.ts";
import { loginReturnUrlOf, requireRedirectLogin } from "./redirect-login.ts";

export interface LogInByRedirect {
  readonly provider: IdentityProviderName;
  readonly state: string;
  /** What the provider sent the browser back with. */
  readonly code: string;
  /** What the browser's cookie holds. Undefined where there is none. */
  readonly browserSecret: string | undefined;
  /** What the caller takes for the redirect's address and for the verifier. Undefined: they leave both to us. */
  readonly redirectUri?: string | undefined;
  readonly codeVerifier?: string | undefined;
  readonly client: ClientInfo;
}

/**
 * Completes a login that was begun at a provider. Its state is used up before the provider is asked, so that of any number
 * of calls at once one goes on. Throws `invalid_state` for a state that is unknown, used, expired or of another browser,
 * `authentication_failed` for a code that the provider refuses, and `provider_unavailable` where it cannot be asked.
 */
export async function logInByRedirect(
  app: IdentityLoginAccess,
  { provider, state, code, browserSecret, client, ...claims }: LogInByRedirect,
): Promise<IdentityLogin> {
  const login = requireRedirectLogin(app, provider);
  refuseOtherRedirect(claims.redirectUri, loginReturnUrlOf(app, provider));
  if (browserSecret === undefined) throw invalidState("no browser's secret");
  const { stateHash, browserHash, codeVerifier, nonce } = loginSecretsOf({ state, browserSecret });
  refuseOtherVerifier(claims.codeVerifier, codeVerifier);

  const at = app.clock.now();
  const used = await withTransaction(app.db, UNKNOWN_TENANT, (tx) =>
    useLoginState(tx, { stateHash, provider, browserHash, at }),
  );
  if (used === undefined) throw invalidState("unknown, used, expired, or of another browser");
  const { redirectUri } = used;
  const identity = await callProvider(
    app,
    login.identify({ code, redirectUri, codeVerifier, nonce }),
  );
  return logInAsIdentity(app, { provider, identity, client });
}

function refuseOtherRedirect(claimed: string | undefined, ours: string): void {
  if (claimed === undefined || claimed === ours) return;
  throw invalidField("/body/redirect_uri", "redirect_uri", `must be ${ours}`);
}

function refuseOtherVerifier(claimed: string | undefined, ours: string): void {
  if (claimed === undefined) return;
  if (equalInConstantTime(Buffer.from(claimed), Buffer.from(ours))) return;
  throw invalidField("/body/code_verifier", "code_verifier", "is not the one of this login");
}

function invalidState(internal: string): AppError {
  return new AppError("invalid_state", {
    internal,
    detail:
      "This login is unknown, used or expired, or was begun in another browser. Begin it again.",
  });
}
