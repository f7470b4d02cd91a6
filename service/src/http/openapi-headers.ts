import { MODES } from "../foundation/vocabulary.ts";

const text = (description: string) => ({ description, schema: { type: "string" } }) as const;
const count = (description: string) =>
  ({ description, schema: { type: "integer", minimum: 0 } }) as const;

export const RESPONSE_HEADERS = {
  "X-Request-Id": text("The request id. Include it when you contact support."),
  "X-Content-Type-Options": text("Always `nosniff`."),
  "Cache-Control": text("Always `no-store`."),
  "Strict-Transport-Security": text(
    "Requires browsers to use https. Only sent if the server's public URL uses https.",
  ),
  "X-Svc-Mode": {
    description: "The mode of the request: `live` or `test`.",
    schema: { type: "string", enum: [...MODES] },
  },
  "RateLimit-Limit": count("Size of the key's token bucket. Only sent for signed requests."),
  "RateLimit-Remaining": count(
    "Tokens left in the key's token bucket. Only sent for signed requests.",
  ),
  "RateLimit-Reset": count(
    "Seconds until the key's token bucket is full again. Only sent for signed requests.",
  ),
  "RateLimit-Policy": text(
    "The key's token bucket as `<capacity>;w=<seconds to refill>`, for example `600;w=60`. Only sent for signed requests.",
  ),
  "X-Svc-Key-Expires": {
    description: "When the rotated key stops working. Only sent during its grace period.",
    schema: { type: "string", format: "date-time" },
  },
  "Retry-After": count("Number of seconds to wait before you repeat the request."),
  "Idempotent-Replayed": {
    description:
      "`true` if the response is the stored response to an earlier call with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
  Allow: text("The methods that the path supports."),
  Location: {
    description: "The URL of the redirect.",
    schema: { type: "string", format: "uri-reference" },
  },
  ETag: text("The version of the env bundle. Send it as `If-None-Match`."),
  "X-Svc-Signature": {
    description:
      "HMAC-SHA256 of the response body in lowercase hexadecimal. The HMAC key is the text of the API key.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
  "Set-Cookie": text(
    "Cookies for browsers. They contain the tokens of a session or the state of a login in progress.",
  ),
  "Content-Disposition": text("The suggested file name for saving the response."),
  "Content-Security-Policy": text("The content security policy. Only sent with HTML pages."),
  "Referrer-Policy": text(
    "Prevents browsers from sending the URL to other sites. Only sent if the URL contains a secret.",
  ),
  Vary: text("The request headers that the response depends on."),
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The request headers that are documented as parameters. The signing headers are security schemes instead. */
export const HEADER_PARAMETERS = {
  SvcMode: {
    name: "X-Svc-Mode",
    in: "header",
    description:
      "The mode of the request. Signed requests ignore this header and use the mode of the API key. If the endpoint accepts signed requests, a request with a dashboard token must send this header; without it, the response is 401.",
    schema: { type: "string", enum: [...MODES] },
  },
  AgentId: {
    name: "X-Agent-ID",
    in: "header",
    description: "The UUID of the agent that makes the call.",
    schema: { type: "string", format: "uuid" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A UUID that you choose. A repeated call with the same key returns the first call's response. Endpoints that require no credential check the format of the key but ignore its value.",
    schema: { type: "string", format: "uuid" },
  },
} as const;

/** The security schemes of a signed request: four headers, all required (docs/api.md, section 2.1). */
export const SIGNING_SCHEMES = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The API key, without `Bearer`.",
  },
  requestTimestamp: {
    type: "apiKey",
    in: "header",
    name: "X-Timestamp",
    description:
      "Unix timestamp in seconds (ten digits). Must be within 30 seconds of the server's clock, which `GET /api/v1/svc/time` returns.",
  },
  requestNonce: {
    type: "apiKey",
    in: "header",
    name: "X-Nonce",
    description:
      "A unique value for each request, such as a UUID: 16 to 128 printable ASCII characters without spaces.",
  },
  requestSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Request-Signature",
    description:
      "HMAC-SHA256 of `<timestamp>.<METHOD>.<path with query>.<body_hash>` in lowercase hexadecimal. `body_hash` is the SHA-256 of the body in hexadecimal. The HMAC key is the SHA-256 of the API secret as hexadecimal text. For keys with `signature_alg: ed25519`, the value is an Ed25519 signature over eight lines, joined with line feeds: `svc-ed25519-v1`, timestamp, nonce, METHOD, path with query, `X-Agent-ID` or `-`, `Idempotency-Key` or `-`, `body_hash`.",
  },
} as const;
