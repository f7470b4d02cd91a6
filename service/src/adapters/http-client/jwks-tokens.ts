import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import { observedCall } from "../../foundation/telemetry/activities.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { USER_AGENT } from "./vendor-client.ts";

const TIMEOUT_MS = 5_000;
/** Issuers allow hours, but a shorter time invalidates withdrawn keys sooner. */
const KEYS_KEPT_MS = 10 * 60_000;
/** Minimum time after a fetch before an unknown key id triggers another fetch. */
const KEYS_COOL_DOWN_MS = 30_000;

/** Errors that mean that the keys could not be read. All other errors of `jose` mean that the token is invalid. */
const KEY_ERROR_CODES: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  errors.JWKInvalid.code,
]);

/** What an error about a token names. */
export interface TokenCall {
  readonly vendor: string;
  readonly operation: string;
}

export interface JwksOptions {
  /** The URL of the issuer's public keys (JWKS). */
  readonly jwksUrl: string;
  /** Timeout for fetching the keys, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly coolDownMs?: number | undefined;
}

/**
 * Returns a function that verifies an issuer's tokens with its published keys, which are cached for ten minutes. The keys
 * are only fetched from the configured URL, never from a URL in a token. Throws only `VendorError`.
 */
export function createJwksVerifier(
  call: TokenCall,
  { jwksUrl, timeoutMs = TIMEOUT_MS, coolDownMs = KEYS_COOL_DOWN_MS }: JwksOptions,
): (token: string, expected: JWTVerifyOptions) => Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: KEYS_KEPT_MS,
    cooldownDuration: coolDownMs,
    headers: { "user-agent": USER_AGENT },
    [customFetch]: (url, options) => observedCall(call.vendor, "getKeys", () => boundedFetch(url, options)),
  });
  return async (token, expected) => {
    try {
      return (await jwtVerify(token, keys, expected)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError && !KEY_ERROR_CODES.has(error.code)) {
        // The cause is omitted because it contains the token's claims and would be logged.
        throw invalidToken(call, error.message, error.code);
      }
      throw new VendorError("unavailable", {
        ...call,
        vendorMessage: "The issuer's keys could not be read.",
        cause: error,
      });
    }
  };
}

export function invalidToken(call: TokenCall, vendorMessage: string, vendorCode?: string): VendorError {
  return new VendorError("unauthorized", { ...call, vendorMessage, ...(vendorCode !== undefined && { vendorCode }) });
}
