import { createHash, createHmac } from "node:crypto";

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
export function signingKey(apiSecret: string): string {
  return sha256Hex(apiSecret);
}

/** Returns the text to sign: `<timestamp>.<METHOD>.<path>.<hex SHA-256 of the body>` (docs/api.md, section 2.2). */
export function canonicalRequest({ timestamp, method, path, body }: RequestParts): string {
  return `${timestamp}.${method.toUpperCase()}.${path}.${sha256Hex(body)}`;
}

/**
 * Returns the value of the `X-Request-Signature` header: 64 lowercase hex digits. `key` is the result of {@link
 * signingKey}.
 */
export function signRequest(key: string, parts: RequestParts): string {
  return createHmac("sha256", key).update(canonicalRequest(parts)).digest("hex");
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
