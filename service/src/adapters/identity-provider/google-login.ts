import { Type } from "typebox";
import { type Clock, systemClock } from "../../foundation/clock.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { IdentityProviders, RedirectLogin } from "../../ports/identity-provider.ts";
import { createVendorClient } from "../http-client/vendor-client.ts";
import { createGoogleIdTokens } from "./google-id-tokens.ts";

const VENDOR = "google";
/** Grants access only to the user's identity, email address and profile. */
const SCOPE = "openid email profile";
const ID_TOKEN_LENGTH_MAX = 16_384;

const Tokens = Type.Object({
  id_token: Type.String({ minLength: 1, maxLength: ID_TOKEN_LENGTH_MAX }),
});

export interface GoogleLoginOptions {
  /** `https://accounts.google.com`, or the simulator's URL. */
  readonly accountsUrl: string;
  /** The full URL: `https://oauth2.googleapis.com/token`. */
  readonly tokenUrl: string;
  /** The full URL: `https://www.googleapis.com/oauth2/v3/certs`. */
  readonly certsUrl: string;
  /** The id of the OAuth client of type "Web application" that the operator has registered with Google. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Timeout for the code exchange and for fetching the keys, in milliseconds. */
  readonly timeoutMs?: number;
  /** The clock for checking whether ID tokens have expired. */
  readonly clock?: Clock;
}

/** Sign in with Google (OpenID Connect), by redirect or with an ID token that a client obtained from Google. */
export function createGoogleLogin(options: GoogleLoginOptions): NonNullable<IdentityProviders["google"]> {
  const { accountsUrl, tokenUrl, certsUrl, clientId, clientSecret, timeoutMs, clock = systemClock } = options;
  const client = createVendorClient({ vendor: VENDOR, baseUrl: tokenUrl, timeoutMs, readRetry: NO_RETRY });
  const idTokens = createGoogleIdTokens({ certsUrl, clientId, timeoutMs });

  const exchangeCode = async ({
    code,
    redirectUri,
    codeVerifier,
  }: Parameters<RedirectLogin["identify"]>[0]): Promise<string> => {
    const tokens = await client.call({
      operation: "token",
      method: "POST",
      path: "",
      form: {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        client_id: clientId,
        client_secret: clientSecret,
      },
      secrets: [clientSecret, code, codeVerifier],
      schema: Tokens,
    });
    return tokens.id_token;
  };

  return {
    authorizationUrl: ({ state, redirectUri, codeChallenge, nonce }) => {
      const url = new URL(`${accountsUrl}/o/oauth2/v2/auth`);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: SCOPE,
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      }).toString();
      return url.href;
    },
    identify: async (grant) => {
      const idToken = await exchangeCode(grant);
      return idTokens.identify({ idToken, nonce: grant.nonce, now: clock.now() });
    },
    idTokens,
  };
}
