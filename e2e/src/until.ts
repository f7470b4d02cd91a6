import { setTimeout as wait } from "node:timers/promises";

const STEP_MS = 10;

/**
 * Calls `check` until it returns a value other than undefined. Returns that value and the elapsed milliseconds. If
 * `check` throws, it is called again. Throws when the time limit is reached.
 */
export async function until<Value>(
  description: string,
  check: () => Promise<Value | undefined>,
  timeoutMs = 20_000,
): Promise<{ readonly value: Value; readonly elapsedMs: number }> {
  const startedMs = performance.now();
  let lastError: unknown;
  for (;;) {
    const value = await check().catch((error: unknown) => {
      lastError = error;
      return undefined;
    });
    const elapsedMs = performance.now() - startedMs;
    if (value !== undefined) return { value, elapsedMs };
    if (elapsedMs > timeoutMs)
      throw new Error(`Timed out after ${timeoutMs} ms waiting until ${description}`, {
        cause: lastError,
      });
    await wait(STEP_MS);
  }
}
