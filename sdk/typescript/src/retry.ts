import { APIConnectionError, APIError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 8_000;
const JITTER_SHARE = 0.25;
const RETRY_AFTER_MAX_SECONDS = 60;

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Returns the delay before the next attempt in milliseconds, or undefined if the call must not be retried.
 *
 * @param retries the number of retries so far
 * @param fraction a random number in [0, 1) for the jitter
 */
export function retryDelayMs(failure: unknown, retries: number, fraction: number): number | undefined {
  if (!isRetryable(failure)) return undefined;
  const askedSeconds = failure instanceof APIError ? failure.retryAfterSeconds : undefined;
  if (askedSeconds === undefined) {
    return Math.min(FIRST_DELAY_MS * 2 ** retries, DELAY_MAX_MS) * (1 - JITTER_SHARE * fraction);
  }
  // A retry before the end of the `Retry-After` delay would fail again. If this delay is longer than 60 s, the call
  // fails without a retry, and the caller decides whether to wait.
  return askedSeconds <= RETRY_AFTER_MAX_SECONDS ? askedSeconds * 1000 : undefined;
}

/** Returns the delay in `Retry-After` in seconds. The header contains seconds or a date. */
export function retryAfterSeconds(headers: Headers, now: Date): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, (atMs - now.getTime()) / 1000);
}

/**
 * Uses the error response's `retryable` field. If the field is missing, uses the status instead. A 409 is then retried
 * only with `Retry-After`, because most conflicts are permanent.
 */
function isRetryable(failure: unknown): boolean {
  if (failure instanceof APIConnectionError) return true;
  if (!(failure instanceof APIError)) return false;
  if (failure.retryable !== undefined) return failure.retryable;
  const { status } = failure;
  const isTemporaryConflict = status === 409 && failure.retryAfterSeconds !== undefined;
  return status >= 500 || RETRYABLE_STATUSES.has(status) || isTemporaryConflict;
}
