import { setTimeout as wait } from "node:timers/promises";

/**
 * The outcome of the work, and never sooner than after `timeMs`. Where two courses of the work differ in what they write,
 * as for a known and an unknown address, whoever waits for the answer cannot tell which it was.
 */
export async function withMinimumDuration<Result>(
  timeMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const steady = wait(timeMs);
  try {
    return await work();
  } finally {
    await steady;
  }
}
