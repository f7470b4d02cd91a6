import { setTimeout as wait } from "node:timers/promises";

/**
 * Runs `work` and returns its result after at least `minimumMs`. The response time then does not reveal which branch
 * ran, for example whether an email address is known.
 */
export async function withMinimumDuration<Result>(minimumMs: number, work: () => Promise<Result>): Promise<Result> {
  const minimum = wait(minimumMs);
  try {
    return await work();
  } finally {
    await minimum;
  }
}
