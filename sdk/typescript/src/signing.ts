import { hmacSha256Hex, sha256Hex } from "./crypto/hash.ts";

export interface RequestParts {
  /** The Unix time in seconds as decimal text, equal to the `X-Timestamp` header. */
  readonly timestamp: string;
  readonly method: string;
  /** The path, starting with `/api/v1`. The server accepts it with and without `?query`; this SDK includes the query. */
  readonly path: string;
  /** The exact bytes of the body, empty if the request has no body. */
  readonly body: Uint8Array;
}

/** Returns the HMAC key for an API secret: the SHA-256 of the secret as lowercase hex text, not as bytes. */
export function signingKey(apiSecret: string): Promise<string> {
  return sha256Hex(apiSecret);
}

/** Returns the text to sign: `<timestamp>.<METHOD>.<path>.<hex SHA-256 of the body>` (docs/rules/signing.md). */
export async function canonicalRequest({ timestamp, method, path, body }: RequestParts): Promise<string> {
  return `${timestamp}.${method.toUpperCase()}.${path}.${await sha256Hex(body)}`;
}

/**
 * Returns the value of the `X-Request-Signature` header: 64 lowercase hex digits. `key` is the result of {@link
 * signingKey}.
 */
export async function signRequest(key: string, parts: RequestParts): Promise<string> {
  return hmacSha256Hex(key, await canonicalRequest(parts));
}

/** The parts of a request that only some algorithms sign. */
export interface SignedRequest extends RequestParts {
  readonly nonce: string;
  /** The `X-Agent-ID` header. */
  readonly agentId: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** The secret part of a key pair. */
export interface RequestKey {
  /** Whether requests that differ only in their nonces have different signatures. */
  readonly coversNonce: boolean;
  /** Returns the value of the `X-Request-Signature` header. */
  sign(request: SignedRequest): Promise<string>;
}

export function hmacRequestKey(apiSecret: string): RequestKey {
  // Only the derived key is stored.
  const key = signingKey(apiSecret);
  return { coversNonce: false, sign: async (request) => signRequest(await key, request) };
}
