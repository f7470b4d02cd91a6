import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@purser/service/foundation/errors.ts";

const RETRY_TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 200;

/**
 * Retries `work` for up to 15 seconds while it fails with `service_unavailable`. The service waits less than a second
 * for its database. That is too short while several programs start on the same machine.
 */
export async function retryWhileDatabaseUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadlineMs = performance.now() + RETRY_TIMEOUT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const canRetry = error instanceof AppError && error.code === "service_unavailable";
      if (!canRetry || performance.now() > deadlineMs) throw error;
      await delay(RETRY_DELAY_MS);
    }
  }
}
