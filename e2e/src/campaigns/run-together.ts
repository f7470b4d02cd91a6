import { setTimeout as wait } from "node:timers/promises";

/** A task that retries its calls may not end any more, for example if a server could not be started again. */
const ENDED_WITHIN_MS = 10_000;

/**
 * Waits until all tasks have ended. The first failure aborts `ending`, which the tasks must watch, and is thrown when the
 * last task has ended, or some time later.
 */
export async function runTogether(ending: AbortController, tasks: readonly Promise<unknown>[]): Promise<void> {
  const settled = Promise.allSettled(tasks);
  try {
    await Promise.all(tasks);
  } catch (error) {
    ending.abort();
    await Promise.race([settled, wait(ENDED_WITHIN_MS, undefined, { ref: false })]);
    throw error;
  }
}
