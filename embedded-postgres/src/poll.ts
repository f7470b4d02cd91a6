import { setTimeout as delay } from "node:timers/promises";

/**
 * A server starts in about 100 ms, so the interval must be much shorter. An even shorter interval would take CPU time
 * from the server.
 */
const pollIntervalMs = 20;

/**
 * Calls `check` until it returns a value other than undefined, and returns that value. Returns undefined when the time
 * limit is reached.
 */
export async function poll<T>(timeoutMs: number, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result !== undefined) return result;
    if (performance.now() >= deadline) return undefined;
    await delay(pollIntervalMs);
  }
}
