import { createHash, createHmac } from "node:crypto";

export interface RequestParts {
  /** Unix seconds as decimal text, exactly as `X-Timestamp` carries them. */
  readonly timestamp: string;
  readonly method: string;
  /** The path from `/api/v1` on. The service accepts it with its `?query` and without; this SDK signs it with. */
  readonly path: string;
  /** The very bytes that are sent; of a request without a body, none. */
  readonly body: Uint8Array;
}

/** The HMAC key of an API secret: the lowercase hex text of its SHA-256, not the bytes behind that text. */
export function signingKey(apiSecret: string): string {
  return sha256Hex(apiSecret);
}

/** What is signed: `<timestamp>.<METHOD>.<path>.<hex SHA-256 of the body>`. */
export function canonicalRequest({ timestamp, method, path, body }: RequestParts): string {
  return `${timestamp}.${method.toUpperCase()}.${path}.${sha256Hex(body)}`;
}

/** `X-Request-Signature`: 64 lowercase hex digits. `key` comes from {@link signingKey}. */
export function signRequest(key: string, parts: RequestParts): string {
  return createHmac("sha256", key).update(canonicalRequest(parts)).digest("hex");
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
