import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { signingKey, signRequest } from "@purser/sdk";

export const PREFIX = "/api/v1/svc";
/** A request that takes longer fails the test. */
const ANSWER_MAX_MS = 15_000;
/** The number of retries after 503, which a busy machine can cause. */
const RETRIES_MAX = 5;
/** The number of retries in this process, so that a server that often responds with 503 fails its test. */
let remainingRetries = 20;
const RETRY_AFTER_MAX_SECONDS = 5;

export interface KeyPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface SendOptions {
  readonly nonce?: string;
  /** Unix seconds. */
  readonly timestamp?: string;
  readonly idempotencyKey?: string;
}

export interface RetryOptions {
  /** The number of retries after 503 with `Retry-After`. 0 if the test expects 503. */
  readonly retriesMax?: number;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the response is not JSON. */
  readonly body: unknown;
  /** The start of the request, a value of `performance.now()`. */
  readonly startedAtMs: number;
  readonly elapsedMs: number;
}

export type SignedClient = ReturnType<typeof createSignedClient>;

/**
 * Signs requests with HMAC as the SDK does. A test can set nonce and timestamp. Rejects if there is no response, as `fetch`
 * does. Paths are relative to the prefix.
 */
export function createSignedClient(url: string, pair: KeyPair, retry: RetryOptions = {}) {
  async function send(
    method: string,
    path: string,
    body?: object,
    options?: SendOptions,
  ): Promise<ApiResponse> {
    const text = body === undefined ? "" : JSON.stringify(body);
    return retryUnavailable(() => {
      const headers = signedHeaders(pair, { method, path, text }, options);
      return ask(url + PREFIX + path, { method, headers, ...(text !== "" && { body: text }) });
    }, retry);
  }

  return {
    get: (path: string, options?: SendOptions) => send("GET", path, undefined, options),
    post: (path: string, body: object, options?: SendOptions) => send("POST", path, body, options),
    delete: (path: string, options?: SendOptions) => send("DELETE", path, undefined, options),
  };
}

/** Returns the headers of one request, for tests that send its bytes themselves. */
export function signedHeaders(
  { apiKey, apiSecret }: KeyPair,
  { method, path, text = "" }: { method: string; path: string; text?: string },
  { nonce = randomUUID(), timestamp = unixSeconds(), idempotencyKey }: SendOptions = {},
): Record<string, string> {
  const signed = { timestamp, method, path: PREFIX + path, body: Buffer.from(text) };
  return {
    authorization: apiKey,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-request-signature": signRequest(signingKey(apiSecret), signed),
    ...(text !== "" && { "content-type": "application/json" }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
}

/** Repeats a request after 503 with `Retry-After`, after that time. */
export async function retryUnavailable(
  send: () => Promise<ApiResponse>,
  { retriesMax = RETRIES_MAX }: RetryOptions = {},
): Promise<ApiResponse> {
  for (let retries = 0; ; retries += 1) {
    const response = await send();
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    if (response.status !== 503 || Number.isNaN(seconds) || retries >= retriesMax) return response;
    if (remainingRetries === 0) return response;
    remainingRetries -= 1;
    await wait(Math.min(seconds, RETRY_AFTER_MAX_SECONDS) * 1_000);
  }
}

/** Sends a request without a credential, once. */
export async function ask(url: string, init: RequestInit = {}): Promise<ApiResponse> {
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
