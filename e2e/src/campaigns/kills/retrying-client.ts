import { setTimeout as wait } from "node:timers/promises";
import { Purser } from "@purser/sdk";

/** The SDK waits longer between its retries. */
const RETRY_PAUSE_MAX_MS = 100;
const ATTEMPT_MAX_MS = 15_000;

/** Returns a client that retries each call with its Idempotency-Key until it has a final answer. */
export function retryingClient(
  baseUrl: string,
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
  fetch?: typeof globalThis.fetch,
): Purser {
  return new Purser({
    ...{ baseUrl, apiKey, apiSecret, fetch },
    timeoutMs: ATTEMPT_MAX_MS,
    maxRetries: Number.POSITIVE_INFINITY,
    logLevel: "off",
    sleep: (ms, signal) => wait(Math.min(ms, RETRY_PAUSE_MAX_MS), undefined, signal && { signal }),
  });
}
