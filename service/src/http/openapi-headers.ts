import { MODES } from "../foundation/vocabulary.ts";

const text = (description: string) => ({ description, schema: { type: "string" } }) as const;
const count = (description: string) =>
  ({ description, schema: { type: "integer", minimum: 0 } }) as const;

/** Every header that an answer of the API can carry, as the OpenAPI document describes it. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": text("The id of this request. Name it when you ask for help."),
  "X-Content-Type-Options": text("Always `nosniff`."),
  "Cache-Control": text("Always `no-store`."),
  "Strict-Transport-Security": text("Sent where the service's public address is https."),
  "X-Svc-Mode": {
    description: "The mode in which the request was answered.",
    schema: { type: "string", enum: [...MODES] },
  },
  "RateLimit-Limit": count("Signed requests only: the most requests that the key can hold ready."),
  "RateLimit-Remaining": count("Signed requests only: how many requests are left right now."),
  "RateLimit-Reset": count("Signed requests only: seconds until the limit is full again."),
  "RateLimit-Policy": text(
    "Signed requests only: the limit and the seconds in which it fills, such as `600;w=60`.",
  ),
  "X-Svc-Key-Expires": {
    description:
      "Sent while the key is in its grace period after a rotation: when it stops working.",
    schema: { type: "string", format: "date-time" },
  },
  "Retry-After": count("Seconds to wait before the request is sent again."),
  "Idempotent-Replayed": {
    description: "Sent where this is the stored answer of an earlier call with the same key.",
    schema: { type: "string", enum: ["true"] },
  },
  Allow: text("The methods that this path takes."),
  Location: {
    description: "Where to go next.",
    schema: { type: "string", format: "uri-reference" },
  },
  ETag: text("The version of the environment. Send it back as `If-None-Match`."),
  "X-Svc-Signature": {
    description: "Lower-case hex HMAC-SHA256 of the body's bytes. The HMAC key is the API key.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
  },
  "Set-Cookie": text("For browsers: the cookies of a session, or of a login that was begun."),
  "Content-Disposition": text("The name under which a browser saves the file."),
  "Content-Security-Policy": text("Sent with pages."),
  "Referrer-Policy": text("Keeps a secret in the address from the next page."),
  Vary: text("Which request headers decide the form of the answer."),
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The request headers that are parameters of operations. Those of the signature are security schemes. */
export const HEADER_PARAMETERS = {
  SvcMode: {
    name: "X-Svc-Mode",
    in: "header",
    description:
      "The mode that a call with a dashboard token is for. Signed requests take theirs from the key. Where an operation takes a signed request or a token, a token without this header is refused with 401.",
    schema: { type: "string", enum: [...MODES] },
  },
  AgentId: {
    name: "X-Agent-ID",
    in: "header",
    description: "The agent that the call is made for.",
    schema: { type: "string", format: "uuid" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "The same call again with the same key gets the first call's answer. Public operations check its form and ignore it.",
    schema: { type: "string", format: "uuid" },
  },
} as const;

/** What a signed request carries: all four, on every request (specification, "Computation"). */
export const SIGNING_SCHEMES = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The API key, without a scheme before it.",
  },
  requestTimestamp: {
    type: "apiKey",
    in: "header",
    name: "X-Timestamp",
    description: "Unix seconds, at most 30 off the service's clock (GET /api/v1/svc/time).",
  },
  requestNonce: {
    type: "apiKey",
    in: "header",
    name: "X-Nonce",
    description: "16 to 128 printable ASCII characters, new for each request. A UUID will do.",
  },
  requestSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Request-Signature",
    description:
      "Lower-case hex HMAC-SHA256 of `{timestamp}.{METHOD}.{path with query}.{hex SHA-256 of the body}`. The HMAC key is the hex SHA-256 of the API secret, as text. Keys with `signature_alg: ed25519` sign with Ed25519 instead: the lines `svc-ed25519-v1`, timestamp, nonce, METHOD, path with query, X-Agent-ID or `-`, Idempotency-Key or `-`, hex SHA-256 of the body, joined by line feeds.",
  },
} as const;
