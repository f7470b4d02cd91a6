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
/** Calls of one network. Each call inserts a row, and callers are not authenticated. */
const CALLS = { limit: 30, windowMs: 60_000 };

export interface BeginProviderLogin {
  readonly provider: IdentityProviderName;
  /** The secret of the browser's cookie. The login can only be completed with it. */
  readonly browserSecret: string;
  readonly network: string;
}

export interface BegunProviderLogin {
  readonly state: string;
  /** The URL to send the browser to. */
  readonly authorizationUrl: string;
  readonly expiresAt: Date;
}

/**
 * Starts a login at an identity provider. Its state is valid once, for ten minutes, in the browser that started it.
 * Throws `not_found` for a provider that is not configured, and `rate_limited` on the 31st call of a network within a
 * minute.
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
