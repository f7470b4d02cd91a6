import { setTimeout as delay } from "node:timers/promises";

/** Short compared with a start of 100 ms, long enough to leave the processor to the server. */
const pollIntervalMs = 20;

/** Calls `check` until its result is not undefined, and returns the result. Returns undefined after the time limit. */
export async function poll<T>(
  timeoutMs: number,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result !== undefined) return result;
    if (performance.now() >= deadline) return undefined;
    await delay(pollIntervalMs);
  }
}
