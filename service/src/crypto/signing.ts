import { createHmac, hash, type KeyObject, timingSafeEqual } from "node:crypto";

export interface SignedParts {
  /** The X-Timestamp header as received. */
  readonly timestamp: string;
  readonly method: string;
  /** The full path, starting with `/api/v1`, with or without its query string. */
  readonly path: string;
  /** Lowercase hex SHA-256 of the raw body, or of the empty string if there is no body. */
  readonly bodyHash: string;
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** Returns the text that a request's HMAC signature covers (docs/rules/signing.md). */
export function canonicalRequest({ timestamp, method, path, bodyHash }: SignedParts): string {
  return `${timestamp}.${method.toUpperCase()}.${path}.${bodyHash}`;
}

/**
 * Returns the HMAC-SHA256 signature of a request as bytes (docs/rules/signing.md).
 *
 * @param signingKey the lowercase hex SHA-256 of the API secret; the hex text itself is the HMAC key
 */
export function requestSignature(signingKey: string | KeyObject, parts: SignedParts): Buffer {
  return createHmac("sha256", signingKey).update(canonicalRequest(parts)).digest();
}

/**
 * Returns the lowercase hex HMAC-SHA256 of the body, with the API key's text as the HMAC key. Sent as `X-Svc-Signature`
 * with an env bundle (docs/rules/env-bundles.md).
 */
export function responseSignature(apiKey: string, body: string | Uint8Array): string {
  return createHmac("sha256", apiKey).update(body).digest("hex");
}

/** Returns true if the secrets are equal. Secrets of equal length are compared in constant time. */
export function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
