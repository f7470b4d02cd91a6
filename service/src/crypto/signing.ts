import { createHmac, hash, type KeyObject, timingSafeEqual } from "node:crypto";

export interface SignedParts {
  /** The X-Timestamp header as it was sent. */
  readonly timestamp: string;
  readonly method: string;
  /** The full path, `/api/v1` included, with or without its query. */
  readonly path: string;
  /** Lower-case hex SHA-256 of the raw body, and of the empty string where there is none. */
  readonly bodyHash: string;
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** The canonical string of a signed request (specification, "Computation", step 3). */
export function canonicalRequest({ timestamp, method, path, bodyHash }: SignedParts): string {
  return `${timestamp}.${method.toUpperCase()}.${path}.${bodyHash}`;
}

/**
 * The signature of a request (specification, "Computation"), as bytes.
 *
 * @param signingKey the lower-case hex SHA-256 of the secret's text. That text, not the bytes it stands for, is the HMAC key.
 */
export function requestSignature(signingKey: string | KeyObject, parts: SignedParts): Buffer {
  return createHmac("sha256", signingKey).update(canonicalRequest(parts)).digest();
}

/** Lower-case hex HMAC-SHA256 over the body under the API key's text: the `X-Svc-Signature` of an environment bundle. */
export function responseSignature(apiKey: string, body: string | Uint8Array): string {
  return createHmac("sha256", apiKey).update(body).digest("hex");
}

/** Compares two equally long secrets in a time that tells nothing of where they differ. */
export function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
