import { MODES } from "../foundation/vocabulary.ts";

const text = (description: string) => ({ description, schema: { type: "string" } }) as const;
const count = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } }) as const;

export const RESPONSE_HEADERS = {
  "X-Request-Id": text("The request id. Include it when you contact support."),
  "X-Content-Type-Options": text("Always `nosniff`."),
  "Cache-Control": text("Always `no-store`."),
  "Strict-Transport-Security": text("Requires browsers to use https. Only sent if the server's public URL uses https."),
  "X-Svc-Mode": {
    description: "The mode of the request: `live` or `test`.",
    schema: { type: "string", enum: [...MODES] },
  },
  "RateLimit-Limit": count("Size of the API key's token bucket. Only sent for signed requests."),
  "RateLimit-Remaining": count("Tokens left in the API key's token bucket. Only sent for signed requests."),
  "RateLimit-Reset": count("Seconds until the API key's token bucket is full again. Only sent for signed requests."),
  "RateLimit-Policy": text(
    "The API key's token bucket as `<capacity>;w=<seconds to refill>`, for example `600;w=60`. Only sent for signed requests.",
  ),
  "X-Svc-Key-Expires": {
    description:
      "When the API key of the request stops working. Only sent if the key has been replaced and is in its grace period.",
    schema: { type: "string", format: "date-time" },
  },
  "Retry-After": count("Number of seconds to wait before you repeat the request."),
  "Idempotent-Replayed": {
    description: "`true` if the response is the stored response to an earlier call with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
  Allow: text("The methods that the path supports."),
  Location: {
    description: "The URL of the redirect.",
    schema: { type: "string", format: "uri-reference" },
  },
  ETag: text(
    "Identifies the content and format of the env bundle. Send it as `If-None-Match` to get 304 if no name or value has changed.",
  ),
  "X-Svc-Dotenv-Warnings": {
    description:
      "With `format=dotenv`: the names of the values that some readers of `.env` files read otherwise, separated by commas. At most 20 names, then how many more there are: `A, B, +3`. Not sent if there are none.",
    schema: { type: "string" },
  },
  "X-Svc-Signature": {
    description: "HMAC-SHA256 of the response body in lowercase hexadecimal. The HMAC key is the text of the API key.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
  "Set-Cookie": text(
    "Cookies for browsers. They contain the tokens of a session, or temporary values that the same browser needs to complete a login or link.",
  ),
  "Content-Disposition": text("The suggested file name for saving the response."),
  "Content-Security-Policy": text("The content security policy. Only sent with HTML pages."),
  "Referrer-Policy": text(
    "Prevents browsers from sending the URL to other sites. Only sent if the URL contains a secret.",
  ),
  "X-Accel-Buffering": text("`no`: tells nginx to pass each event on at once."),
  Vary: text("The request headers that the response depends on."),
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The request headers that are documented as parameters. The signing headers are security schemes instead. */
export const HEADER_PARAMETERS = {
  SvcMode: {
    name: "X-Svc-Mode",
    in: "header",
    description:
      "The mode of the request. Signed requests ignore this header and use the mode of the API key. Requests with a dashboard token must send this header to endpoints that also accept signed requests. Without it, these endpoints return 401.",
    schema: { type: "string", enum: [...MODES] },
  },
  SvcDeveloper: {
    name: "X-Svc-Developer",
    in: "header",
    description:
      "The id of the developer that the caller acts for. Requests with a dashboard token fail with `account_changed` if it is not that of the token's account. Signed requests ignore this header.",
    schema: { type: "string", pattern: "^dev_[0-9a-z]{26}$" },
  },
  AgentId: {
    name: "X-Agent-ID",
    in: "header",
    description: "The UUID of the agent that makes the call.",
    schema: { type: "string", format: "uuid" },
  },
  RequiredAgentId: {
    name: "X-Agent-ID",
    in: "header",
    required: true,
    description: "The UUID of the agent that makes the call.",
    schema: { type: "string", format: "uuid" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A UUID that you choose. A repeated call with the same UUID returns the first call's response. Endpoints that require no credential check the format of this header but ignore its value.",
    schema: { type: "string", format: "uuid" },
  },
} as const;

/** The security schemes of a signed request: four headers, all required (docs/rules/signing.md). */
export const SIGNING_SCHEMES = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The `api_key` of a key pair, without `Bearer`.",
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
      "HMAC-SHA256 of `<timestamp>.<METHOD>.<path with query>.<body_hash>` in lowercase hexadecimal. `body_hash` is the SHA-256 of the body in hexadecimal. The HMAC key is the SHA-256 of the API secret as hexadecimal text. For keys with `signature_alg: ed25519`, the value is an Ed25519 signature in lowercase hexadecimal over eight lines, joined with line feeds: `svc-ed25519-v1`, timestamp, nonce, METHOD, path with query, the value of `X-Agent-ID`, the value of `Idempotency-Key`, `body_hash`. A header that is not sent is written as `-`.",
  },
} as const;
