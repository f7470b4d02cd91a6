import { setTimeout as wait } from "node:timers/promises";

/**
 * Runs the work and returns its result, but not before `minimumMs` have passed. The response time does not show which
 * branch ran, for example for a known or an unknown address.
 */
export async function withMinimumDuration<Result>(
  minimumMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const minimum = wait(minimumMs);
  try {
    return await work();
  } finally {
    await minimum;
  }
}
