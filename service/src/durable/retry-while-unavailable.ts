import { AppError } from "../foundation/errors.ts";
import { type RetryPolicy, retry } from "../foundation/retry.ts";

const POLICY: RetryPolicy = {
  attemptsMax: Number.POSITIVE_INFINITY,
  firstPauseMs: 100,
  longestPauseMs: 5_000,
  jitter: false,
};

/** Repeats `work` while it throws `service_unavailable`, for at most `withinMs`. Default: no limit. */
export function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<Result> {
  return retry(work, POLICY, {
    isWorthRetrying: (error) => error instanceof AppError && error.code === "service_unavailable",
    withinMs,
  });
}
