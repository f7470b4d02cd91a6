import { randomUUID } from "node:crypto";
import { signingKey, signRequest } from "@purser/sdk";

export const PREFIX = "/api/v1/svc";
/** A service that takes longer hangs, whatever the test wanted to know. */
const ANSWER_MAX_MS = 15_000;

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
 * Signs as the SDK does, but tries nothing twice and lets a test choose nonce and timestamp. A request that gets no answer
 * rejects, as `fetch` does. Paths are those below the prefix.
 */
export function createSignedClient(url: string, pair: KeyPair) {
  async function send(
    method: string,
    path: string,
    body?: object,
    options?: SendOptions,
  ): Promise<Answer> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = signedHeaders(pair, { method, path, text }, options);
    return ask(url + PREFIX + path, { method, headers, ...(text !== "" && { body: text }) });
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

/** A request without a credential. */
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
