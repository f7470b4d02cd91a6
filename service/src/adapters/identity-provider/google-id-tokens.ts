import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { ExternalIdentity, IdTokenLogin } from "../../ports/identity-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { boundedFetch } from "../http-client/bounded-fetch.ts";
import { USER_AGENT } from "../http-client/vendor-client.ts";
import { lowerCaseAddress, PersonAddress } from "./person-address.ts";
import { personName } from "./person-name.ts";

const VENDOR = "google";
const OPERATION = "verifyIdToken";
const ISSUERS = ["https://accounts.google.com", "accounts.google.com"];
const TIMEOUT_MS = 5_000;
/** Google's Cache-Control says hours. A key that it withdraws is to be gone sooner. */
const KEYS_KEPT_MS = 10 * 60_000;
/** How long after the keys were read a token with a key of another id cannot make us read them again. */
const KEYS_COOL_DOWN_MS = 30_000;

/** What is wrong with the token itself. Anything else leaves the question open, and the token is not taken either. */
const TOKEN_FAULTS: ReadonlySet<string> = new Set([
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
]);

// `hd` says which organization an account belongs to, which is nothing to us.
const Claims = Type.Object({
  sub: Type.String({ pattern: "^[\\x21-\\x7e]{1,255}$" }),
  // Of a list, one would be us, and the token somebody else's.
  aud: Type.String(),
  email: PersonAddress,
  email_verified: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.String()),
});

/** Verifies Google's ID tokens against its published keys, which are kept for ten minutes. */
export function createGoogleIdTokens({
  certsUrl,
  clientId,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly certsUrl: string;
  readonly clientId: string;
  /** Of reading the keys. */
  readonly timeoutMs?: number;
}): IdTokenLogin {
  const keys = createRemoteJWKSet(new URL(certsUrl), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: KEYS_KEPT_MS,
    cooldownDuration: KEYS_COOL_DOWN_MS,
    headers: { "user-agent": USER_AGENT },
    [customFetch]: boundedFetch,
  });

  return {
    identify: async ({ idToken, nonce, now }) => {
      const { payload } = await jwtVerify(idToken, keys, {
        algorithms: ["RS256"],
        issuer: ISSUERS,
        audience: clientId,
        requiredClaims: ["sub", "iat", "exp", "email"],
        currentDate: now,
      }).catch((error: unknown) => {
        throw verificationError(error);
      });
      if (nonce !== undefined && payload["nonce"] !== nonce) {
        throw idTokenError("unauthorized", "The nonce is another.");
      }
      return identityOf(payload);
    },
  };
}

function identityOf(payload: JWTPayload): ExternalIdentity {
  if (!isClaims(payload)) throw idTokenError("unauthorized", "The claims have another shape.");
  return {
    subject: payload.sub,
    email: lowerCaseAddress(payload.email),
    // True, and nothing that looks like it.
    emailVerified: payload.email_verified === true,
    name: personName(payload.name),
  };
}

function isClaims(payload: JWTPayload): payload is JWTPayload & Static<typeof Claims> {
  return Check(Claims, payload);
}

function verificationError(error: unknown): VendorError {
  if (error instanceof errors.JOSEError && TOKEN_FAULTS.has(error.code)) {
    // Without its cause, which carries the token's claims: a log would keep them.
    return idTokenError("unauthorized", error.message, { vendorCode: error.code });
  }
  return idTokenError("unavailable", "Google's keys cannot be had.", { cause: error });
}

function idTokenError(
  failure: VendorFailure,
  vendorMessage: string,
  more: { readonly vendorCode?: string; readonly cause?: unknown } = {},
): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation: OPERATION, vendorMessage, ...more });
}
