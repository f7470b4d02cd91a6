import { setTimeout as wait } from "node:timers/promises";

const STEP_MS = 10;

/**
 * Asks until the answer is not undefined, and gives it with the milliseconds that it took. What the question throws counts
 * as no answer. Throws when the bound is reached.
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined>,
  boundMs = 20_000,
): Promise<{ readonly value: Value; readonly elapsedMs: number }> {
  const began = performance.now();
  let last: unknown;
  for (;;) {
    const value = await ask().catch((error: unknown) => {
      last = error;
      return undefined;
    });
    const elapsedMs = performance.now() - began;
    if (value !== undefined) return { value, elapsedMs };
    if (elapsedMs > boundMs) throw new Error(`Not within ${boundMs} ms: ${what}`, { cause: last });
    await wait(STEP_MS);
  }
}
