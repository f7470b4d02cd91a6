import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { normalizeEmail } from "../../foundation/text/email-address.ts";
import type { ExternalIdentity, IdTokenLogin } from "../../ports/identity-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { boundedFetch } from "../http-client/bounded-fetch.ts";
import { USER_AGENT } from "../http-client/vendor-client.ts";
import { PersonAddress } from "./person-address.ts";
import { personName } from "./person-name.ts";

const VENDOR = "google";
const OPERATION = "verifyIdToken";
const ISSUERS = ["https://accounts.google.com", "accounts.google.com"];
const TIMEOUT_MS = 5_000;
/** Cache time for Google's keys. Google allows hours, but a shorter time invalidates withdrawn keys sooner. */
const KEYS_KEPT_MS = 10 * 60_000;
/** Minimum time after a fetch before an unknown key id triggers another fetch. */
const KEYS_COOL_DOWN_MS = 30_000;

/** Errors that mean that the token is invalid. All other errors are treated as a failure to read Google's keys. */
const TOKEN_ERROR_CODES: ReadonlySet<string> = new Set([
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
]);

const Claims = Type.Object({
  sub: Type.String({ pattern: "^[\\x21-\\x7e]{1,255}$" }),
  // Arrays are rejected, because an array could list this app in addition to the app that the token was issued for.
  aud: Type.String(),
  email: PersonAddress,
  email_verified: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.String()),
});

/** Verifies Google's ID tokens with Google's published keys, which are cached for ten minutes. */
export function createGoogleIdTokens({
  certsUrl,
  clientId,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly certsUrl: string;
  readonly clientId: string;
  /** Timeout for fetching the keys, in milliseconds. */
  readonly timeoutMs?: number | undefined;
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
        throw idTokenError("unauthorized", "The nonce does not match.");
      }
      return identityOf(payload);
    },
  };
}

function identityOf(payload: JWTPayload): ExternalIdentity {
  if (!isClaims(payload)) throw idTokenError("unauthorized", "The claims are malformed.");
  return {
    subject: payload.sub,
    email: normalizeEmail(payload.email),
    // Only the boolean true counts, not a string such as "true".
    emailVerified: payload.email_verified === true,
    name: personName(payload.name),
  };
}

function isClaims(payload: JWTPayload): payload is JWTPayload & Static<typeof Claims> {
  return Check(Claims, payload);
}

function verificationError(error: unknown): VendorError {
  if (error instanceof errors.JOSEError && TOKEN_ERROR_CODES.has(error.code)) {
    // The cause is omitted because it contains the token's claims and would be logged.
    return idTokenError("unauthorized", error.message, { vendorCode: error.code });
  }
  return idTokenError("unavailable", "Google's keys could not be read.", { cause: error });
}

function idTokenError(
  failure: VendorFailure,
  vendorMessage: string,
  more: { readonly vendorCode?: string; readonly cause?: unknown } = {},
): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation: OPERATION, vendorMessage, ...more });
}
