import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { requestSignature, sha256Hex } from "@purser/service/crypto/signing.ts";

export const PREFIX = "/api/v1/svc";
/** Requests that take longer fail the test. */
const ANSWER_MAX_MS = 15_000;
/** Number of retries after a 503, which a busy machine can cause. */
const RETRIES_MAX = 5;
/**
 * Number of retries that the whole process can still make. It is limited, so that a test fails if its server often
 * responds 503.
 */
let remainingRetries = 20;
const RETRY_AFTER_MAX_SECONDS = 5;

export interface KeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface SendOptions {
  readonly nonce?: string;
  /** Unix time in seconds. */
  readonly timestamp?: string;
  readonly idempotencyKey?: string;
}

export interface RetryOptions {
  /** Number of retries after a 503 with `Retry-After`. Set it to 0 if the test expects 503. */
  readonly retriesMax?: number;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the response is not JSON. */
  readonly body: unknown;
  /** Start of the request, from `performance.now()`. */
  readonly startedAtMs: number;
  readonly elapsedMs: number;
}

export type SignedClient = ReturnType<typeof createSignedClient>;

/**
 * Signs requests with HMAC, as the SDK does. Tests can set the nonce and the timestamp. Paths are relative to the API
 * prefix. The methods reject if there is no response, as `fetch` does.
 */
export function createSignedClient(url: string, pair: KeyPair, retry: RetryOptions = {}) {
  async function send(method: string, path: string, body?: object, options?: SendOptions): Promise<ApiResponse> {
    const text = body === undefined ? "" : JSON.stringify(body);
    return retryUnavailable(() => {
      const headers = signedHeaders(pair, { method, path, text }, options);
      return sendOnce(url + PREFIX + path, { method, headers, ...(text !== "" && { body: text }) });
    }, retry);
  }

  return {
    get: (path: string, options?: SendOptions) => send("GET", path, undefined, options),
    post: (path: string, body: object, options?: SendOptions) => send("POST", path, body, options),
    delete: (path: string, options?: SendOptions) => send("DELETE", path, undefined, options),
  };
}

/** Returns the headers of a signed request, for tests that write the request to a socket themselves. */
export function signedHeaders(
  { apiKey, apiSecret }: KeyPair,
  { method, path, text = "" }: { method: string; path: string; text?: string },
  { nonce = randomUUID(), timestamp = unixSeconds(), idempotencyKey }: SendOptions = {},
): Record<string, string> {
  const signed = { timestamp, method, path: PREFIX + path, bodyHash: sha256Hex(text) };
  return {
    authorization: apiKey,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-request-signature": requestSignature(sha256Hex(apiSecret), signed).toString("hex"),
    ...(text !== "" && { "content-type": "application/json" }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
}

/** Sends a request. After a 503 or `signature_replayed` with `Retry-After`, waits for that time and repeats the request. */
export async function retryUnavailable(
  send: () => Promise<ApiResponse>,
  { retriesMax = RETRIES_MAX }: RetryOptions = {},
): Promise<ApiResponse> {
  for (let retries = 0; ; retries += 1) {
    const response = await send();
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    const isRepeatable = response.status === 503 || response.text.includes('"signature_replayed"');
    if (!isRepeatable || Number.isNaN(seconds) || retries >= retriesMax) return response;
    if (remainingRetries === 0) return response;
    remainingRetries -= 1;
    await wait(Math.min(seconds, RETRY_AFTER_MAX_SECONDS) * 1_000);
  }
}

/** Sends a request once, without adding a credential. */
export async function sendOnce(url: string, init: RequestInit = {}): Promise<ApiResponse> {
  const startedAtMs = performance.now();
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MAX_MS) });
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
    startedAtMs,
    elapsedMs: performance.now() - startedAtMs,
  };
}

function unixSeconds(): string {
  return String(Math.floor(Date.now() / 1000));
}
