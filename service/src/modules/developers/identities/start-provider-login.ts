import type { App } from "../../../app.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { IdentityProviderName } from "../../../foundation/vocabulary.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { loginSecretsOf } from "./login-secrets.ts";
import { insertLoginState } from "./queries.ts";
import { loginReturnUrlOf, requireRedirectLogin } from "./redirect-login.ts";

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
 * browser. Throws `not_found` if the provider is not configured, and `rate_limited` after 30 calls per minute from one
 * network.
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
    insertLoginState(tx, {
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
