import { setTimeout as delay } from "node:timers/promises";

/** Short enough not to be felt at a start of 100 ms, long enough to leave the processor to the server. */
const pollEveryMs = 20;

/** Asks until the answer is not undefined, and gives that answer; undefined when the time is over. */
export async function poll<T>(
  timeoutMs: number,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) return undefined;
    await delay(pollEveryMs);
  }
}
