import type { JWTPayload } from "jose";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { type Clock, systemClock } from "../../foundation/clock.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import { normalizeEmail } from "../../foundation/text.ts";
import type { ExternalIdentity, IdentityProviders, IdTokenLogin } from "../../ports/identity-provider.ts";
import { authorizationUrlOf } from "../http-client/authorization-url.ts";
import { createJwksVerifier, invalidToken } from "../http-client/jwks-tokens.ts";
import { createVendorClient, vendorApi } from "../http-client/vendor-client.ts";
import { PersonAddress, personName } from "./person.ts";

const VENDOR = "google";
const VERIFY = { vendor: VENDOR, operation: "verifyIdToken" };
/** Grants access only to the user's identity, email address and profile. */
const SCOPE = "openid email profile";
const ISSUERS = ["https://accounts.google.com", "accounts.google.com"];
const ID_TOKEN_LENGTH_MAX = 16_384;

const Tokens = Type.Object({
  id_token: Type.String({ minLength: 1, maxLength: ID_TOKEN_LENGTH_MAX }),
});

const Claims = Type.Object({
  sub: Type.String({ pattern: "^[\\x21-\\x7e]{1,255}$" }),
  // Arrays are rejected, because an array could list this app in addition to the app that the token was issued for.
  aud: Type.String(),
  email: PersonAddress,
  email_verified: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.String()),
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
  const { accountsUrl, tokenUrl, clientId, clientSecret, timeoutMs, clock = systemClock } = options;
  const client = createVendorClient({ vendor: VENDOR, baseUrl: tokenUrl, timeoutMs, readRetry: NO_RETRY });
  const idTokens = idTokenLogin(options);
  return {
    authorizationUrl: ({ nonce, ...request }) => {
      const parameters = { client_id: clientId, response_type: "code", scope: SCOPE, nonce };
      return authorizationUrlOf(`${accountsUrl}/o/oauth2/v2/auth`, request, parameters);
    },
    identify: async ({ code, redirectUri, codeVerifier, nonce }) => {
      const { id_token: idToken } = await vendorApi(client).post("token", "", Tokens, {
        form: {
          grant_type: "authorization_code",
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
          client_id: clientId,
          client_secret: clientSecret,
        },
        secrets: [clientSecret, code, codeVerifier],
      });
      return idTokens.identify({ idToken, nonce, now: clock.now() });
    },
    idTokens,
  };
}

function idTokenLogin({ certsUrl, clientId, timeoutMs }: GoogleLoginOptions): IdTokenLogin {
  const verify = createJwksVerifier(VERIFY, { jwksUrl: certsUrl, timeoutMs });
  return {
    identify: async ({ idToken, nonce, now }) => {
      const payload = await verify(idToken, {
        algorithms: ["RS256"],
        issuer: ISSUERS,
        audience: clientId,
        requiredClaims: ["sub", "iat", "exp", "email"],
        currentDate: now,
      });
      if (nonce !== undefined && payload["nonce"] !== nonce) throw invalidToken(VERIFY, "The nonce does not match.");
      return identityOf(payload);
    },
  };
}

function identityOf(payload: JWTPayload): ExternalIdentity {
  if (!Check(Claims, payload)) throw invalidToken(VERIFY, "The claims are malformed.");
  return {
    subject: payload.sub,
    email: normalizeEmail(payload.email),
    // Only the boolean true counts, not a string such as "true".
    emailVerified: payload.email_verified === true,
    name: personName(payload.name),
  };
}
