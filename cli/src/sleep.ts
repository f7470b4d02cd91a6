import { setTimeout } from "node:timers/promises";

/** Rejects when the signal is aborted, as after Ctrl-C. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}
