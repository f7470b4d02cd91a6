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
/** Each call is a row that stays until it is over, and whoever calls has shown nothing. */
const CALLS = { limit: 30, windowMs: 60_000 };

export interface BeginProviderLogin {
  readonly provider: IdentityProviderName;
  /** What the browser's cookie holds: only with it can the login be completed. */
  readonly browserSecret: string;
  readonly network: string;
}

export interface BegunProviderLogin {
  readonly state: string;
  /** Where the browser is sent. */
  readonly authorizationUrl: string;
  readonly expiresAt: Date;
}

/**
 * Begins a login at a provider. Its state is good once, for ten minutes, in the browser that it was begun in. Throws
 * `not_found` for a provider that is not offered, and `rate_limited` for a network that begins too many.
 */
export async function beginProviderLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "identityProviders">,
  { provider, browserSecret, network }: BeginProviderLogin,
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
