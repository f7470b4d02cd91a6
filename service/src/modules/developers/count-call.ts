import type { App } from "../../app.ts";
import { askStore } from "../../foundation/deadline.ts";

export interface CallLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Counts a call in a sliding window that all replicas share. Where it cannot be counted, it may not happen. */
export async function countCall(
  { fastState, clock, settings }: Pick<App, "fastState" | "clock" | "settings">,
  key: string,
  limits: CallLimit,
): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }> {
  return askStore(
    fastState.countInWindow({ key, ...limits, nowMs: clock.now().getTime() }),
    settings.storeTimeoutMs,
    `counting ${key}`,
  );
}
