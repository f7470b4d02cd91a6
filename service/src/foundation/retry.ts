import { setTimeout as delay } from "node:timers/promises";

/** How often, and after which pauses, work that failed is tried again. */
export interface RetryPolicy {
  /** The first attempt included. */
  readonly attemptsMax: number;
  /** After the first attempt. Each further pause is twice as long as the one before it. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Whether a pause is up to half as long again, at random: callers that failed together do not return together. */
  readonly jitter: boolean;
}

/** For calls whose caller repeats them: a saga, or a person. */
export const NO_RETRY: RetryPolicy = {
  attemptsMax: 1,
  firstPauseMs: 0,
  longestPauseMs: 0,
  jitter: false,
};

/** For calls made while a request waits for them. */
export const RETRY_WITHIN_REQUEST: RetryPolicy = {
  attemptsMax: 3,
  firstPauseMs: 100,
  longestPauseMs: 2_000,
  jitter: true,
};

/** Keeps the doubled pause a finite number, whatever the number of attempts. */
const DOUBLINGS_MAX = 30;

/** The pause after the attempt of this number, counted from 1: no shorter than was asked for, and no longer than the policy's longest. */
export function pauseMs(
  { firstPauseMs, longestPauseMs, jitter }: RetryPolicy,
  attempt: number,
  askedMs: number | null = null,
): number {
  const doubledMs = firstPauseMs * 2 ** Math.min(attempt - 1, DOUBLINGS_MAX);
  const wantedMs = Math.max(doubledMs, askedMs ?? 0);
  return Math.min(wantedMs * (jitter ? 1 + Math.random() / 2 : 1), longestPauseMs);
}

export interface RetryOptions {
  /** Whether another attempt may succeed. */
  readonly isWorthRetrying: (error: unknown) => boolean;
  /** How long the other side wants to be left alone. Work that is asked to wait longer than the longest pause is given up. */
  readonly askedMs?: (error: unknown) => number | null;
  /** An attempt that could only begin later than this is not made. */
  readonly withinMs?: number;
}

/** Does the work until it succeeds, and throws its last error where the policy, its time or `isWorthRetrying` ends that. */
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

/** Undefined where there is no further attempt. */
function nextPauseMs(
  error: unknown,
  policy: RetryPolicy,
  attempt: number,
  { isWorthRetrying, askedMs }: RetryOptions,
): number | undefined {
  if (attempt >= policy.attemptsMax || !isWorthRetrying(error)) return undefined;
  const asked = askedMs?.(error) ?? null;
  if (asked !== null && asked > policy.longestPauseMs) return undefined;
  return pauseMs(policy, attempt, asked);
}
