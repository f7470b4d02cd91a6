import { setTimeout as delay } from "node:timers/promises";

/** The number of attempts and the pauses between them. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly attemptsMax: number;
  /** The pause after the first attempt. Each further pause is twice as long. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /**
   * Whether each pause is extended by a random time of up to half its length. Callers whose calls failed at the same
   * time then retry at different times.
   */
  readonly jitter: boolean;
}

/** For calls whose caller retries, such as the steps of a saga. */
export const NO_RETRY: RetryPolicy = {
  attemptsMax: 1,
  firstPauseMs: 0,
  longestPauseMs: 0,
  jitter: false,
};

/** For calls that a request waits for. */
export const RETRY_WITHIN_REQUEST: RetryPolicy = {
  attemptsMax: 3,
  firstPauseMs: 100,
  longestPauseMs: 2_000,
  jitter: true,
};

/** Limits how often the first pause is doubled, so that the pause stays a finite number. */
const DOUBLINGS_MAX = 30;

/**
 * Returns the pause after an attempt. The first attempt has the number 1. The pause is at least `requestedPauseMs`, but
 * never longer than the policy's longest pause.
 */
export function pauseMs(
  { firstPauseMs, longestPauseMs, jitter }: RetryPolicy,
  attempt: number,
  requestedPauseMs: number | null = null,
): number {
  const doubledMs = firstPauseMs * 2 ** Math.min(attempt - 1, DOUBLINGS_MAX);
  const requiredMs = Math.max(doubledMs, requestedPauseMs ?? 0);
  return Math.min(requiredMs * (jitter ? 1 + Math.random() / 2 : 1), longestPauseMs);
}

export interface RetryOptions {
  /** Returns true if another attempt may succeed. */
  readonly isWorthRetrying: (error: unknown) => boolean;
  /**
   * Returns the pause that the error requests, for example with `Retry-After`. If this pause is longer than the
   * policy's `longestPauseMs`, there is no retry.
   */
  readonly requestedPauseMs?: (error: unknown) => number | null;
  /** Time limit in milliseconds. No attempt starts later than this. */
  readonly withinMs?: number;
}

/**
 * Repeats the work until it succeeds. Throws the last error if the policy, the time limit or `isWorthRetrying` allows
 * no further attempt.
 */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  policy: RetryPolicy,
  options: RetryOptions,
): Promise<Result> {
  const endsAtMs = performance.now() + (options.withinMs ?? Number.POSITIVE_INFINITY);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const pause = nextPauseMs(error, policy, attempt, options);
      if (pause === undefined || performance.now() + pause > endsAtMs) throw error;
      await delay(pause);
    }
  }
}

/** Returns undefined if there is no further attempt. */
function nextPauseMs(
  error: unknown,
  policy: RetryPolicy,
  attempt: number,
  { isWorthRetrying, requestedPauseMs }: RetryOptions,
): number | undefined {
  if (attempt >= policy.attemptsMax || !isWorthRetrying(error)) return undefined;
  const requestedMs = requestedPauseMs?.(error) ?? null;
  if (requestedMs !== null && requestedMs > policy.longestPauseMs) return undefined;
  return pauseMs(policy, attempt, requestedMs);
}
