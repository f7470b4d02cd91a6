import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import type { ExternalTokenIssuers, VerifiedToken } from "../../ports/external-token-issuers.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { boundedFetch } from "../http-client/bounded-fetch.ts";
import { USER_AGENT } from "../http-client/vendor-client.ts";

const VENDOR = "token-issuer";
const OPERATION = "verifyToken";
const TIMEOUT_MS = 5_000;
const KEYS_KEPT_MS = 10 * 60_000;
/** Minimum time after a fetch before an unknown key id triggers another fetch. */
const KEYS_COOL_DOWN_MS = 30_000;
const ALGORITHMS = ["ES256", "EdDSA", "RS256"];

/** Errors that mean that the keys could not be read. All other errors of `jose` mean that the token is invalid. */
const KEY_ERROR_CODES: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  errors.JWKInvalid.code,
]);

export interface TokenIssuer {
  /** The claim `iss` of the issuer's tokens. */
  readonly issuer: string;
  /** The URL of the issuer's public keys (JWKS). */
  readonly jwksUrl: string;
}

/**
 * Verifies tokens of these issuers with their published keys, which are cached for ten minutes. The keys are only fetched
 * from the configured URLs, never from a URL in a token.
 */
export function createJwksTokenIssuers(
  issuers: readonly TokenIssuer[],
  {
    timeoutMs = TIMEOUT_MS,
    coolDownMs = KEYS_COOL_DOWN_MS,
  }: { readonly timeoutMs?: number; readonly coolDownMs?: number } = {},
): ExternalTokenIssuers {
  const keysOf = new Map(
    issuers.map(({ issuer, jwksUrl }) => [
      issuer,
      createRemoteJWKSet(new URL(jwksUrl), {
        timeoutDuration: timeoutMs,
        cacheMaxAge: KEYS_KEPT_MS,
        cooldownDuration: coolDownMs,
        headers: { "user-agent": USER_AGENT },
        [customFetch]: boundedFetch,
      }),
    ]),
  );
  return {
    verify: async ({ token, audience, now }) => {
      const issuer = issuerOf(token);
      const keys = keysOf.get(issuer);
      if (keys === undefined) throw tokenError("unauthorized", "The issuer is not configured.");
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        requiredClaims: ["exp", "jti"],
        currentDate: now,
      }).catch((error: unknown) => {
        throw verificationError(error);
      });
      return verifiedToken(issuer, payload);
    },
  };
}

/** Returns the issuer that the token names, without verifying the token. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? "";
  } catch {
    throw tokenError("unauthorized", "The token is malformed.");
  }
}

function verifiedToken(issuer: string, { sub, jti, exp = 0, ...claims }: JWTPayload): VerifiedToken {
  const agentId = claims["agent_id"];
  return {
    issuer,
    tokenId: String(jti),
    subjects: [sub, agentId].filter((subject) => typeof subject === "string"),
    owner: claims["owner"],
    mode: claims["mode"],
    expiresAt: new Date(exp * 1_000),
  };
}

function verificationError(error: unknown): VendorError {
  if (error instanceof errors.JOSEError && !KEY_ERROR_CODES.has(error.code)) {
    // The cause is omitted because it contains the token's claims and would be logged.
    return tokenError("unauthorized", error.message);
  }
  return tokenError("unavailable", "The issuer's keys could not be read.", error);
}

function tokenError(failure: VendorFailure, vendorMessage: string, cause?: unknown): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation: OPERATION, vendorMessage, cause });
}
