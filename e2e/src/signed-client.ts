import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { signingKey, signRequest } from "@purser/sdk";

export const PREFIX = "/api/v1/svc";
/** A service that takes longer hangs, whatever the test wanted to know. */
const ANSWER_MAX_MS = 15_000;
/** How often a request that was answered with 503 is sent again. A busy machine answers so now and then. */
const RETRIES_MAX = 5;
/** How often in the life of a process. A service that answers so more often is out of order, and the test has to see it. */
let retriesLeft = 20;
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
  /** How often a 503 with `Retry-After` is waited out. 0 where a test looks for the 503 itself. */
  readonly retriesMax?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined where the answer is not JSON. */
  readonly body: unknown;
  /** When the request was begun, by `performance.now()`. */
  readonly startedAtMs: number;
  readonly elapsedMs: number;
}

export type SignedClient = ReturnType<typeof createSignedClient>;

/**
 * Signs as the SDK does, and lets a test choose nonce and timestamp. A request that gets no answer rejects, as `fetch`
 * does. Paths are those below the prefix.
 */
export function createSignedClient(url: string, pair: KeyPair, retry: RetryOptions = {}) {
  async function send(
    method: string,
    path: string,
    body?: object,
    options?: SendOptions,
  ): Promise<Answer> {
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

/** The headers of one request, for tests that write its bytes themselves. */
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

/** Sends again what was answered with 503 and `Retry-After`, after that time: what the service asks of its callers. */
export async function retryUnavailable(
  send: () => Promise<Answer>,
  { retriesMax = RETRIES_MAX }: RetryOptions = {},
): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    const answer = await send();
    const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
    if (answer.status !== 503 || Number.isNaN(seconds) || retries >= retriesMax) return answer;
    if (retriesLeft === 0) return answer;
    retriesLeft -= 1;
    await wait(Math.min(seconds, RETRY_AFTER_MAX_SECONDS) * 1_000);
  }
}

/** A request without a credential, sent once. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
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
