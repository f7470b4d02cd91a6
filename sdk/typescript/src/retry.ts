import { APIConnectionError, APIError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 8_000;
const JITTER_SHARE = 0.25;
const RETRY_AFTER_MAX_SECONDS = 60;

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * How long to wait before the next attempt, in milliseconds; undefined when another attempt is of no use.
 *
 * @param retries how many retries there were already
 * @param fraction a random number of [0, 1), which spreads the retries of many clients
 */
export function retryDelayMs(
  failure: unknown,
  retries: number,
  fraction: number,
  now: Date,
): number | undefined {
  if (!isRetryable(failure)) return undefined;
  const askedSeconds =
    failure instanceof APIError ? retryAfterSeconds(failure.headers, now) : undefined;
  if (askedSeconds === undefined) {
    return Math.min(FIRST_DELAY_MS * 2 ** retries, DELAY_MAX_MS) * (1 - JITTER_SHARE * fraction);
  }
  // Coming back before the time that was asked for would be refused again, so a long wait is the caller's to decide.
  return askedSeconds <= RETRY_AFTER_MAX_SECONDS ? askedSeconds * 1000 : undefined;
}

/** `Retry-After`, in seconds from `now`, whether it is written in seconds or as a date. */
export function retryAfterSeconds(headers: Headers, now: Date): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, (atMs - now.getTime()) / 1000);
}

/**
 * The service's own word decides. Without it a status does; a conflict (409) passes by itself only where the
 * service says so, because most conflicts are with something that stays.
 */
function isRetryable(failure: unknown): boolean {
  if (failure instanceof APIConnectionError) return true;
  if (!(failure instanceof APIError)) return false;
  if (failure.retryable !== undefined) return failure.retryable;
  const { status, headers } = failure;
  return (
    status >= 500 ||
    RETRYABLE_STATUSES.has(status) ||
    (status === 409 && headers.has("retry-after"))
  );
}
