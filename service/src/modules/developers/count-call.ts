import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { AppError } from "../../foundation/errors.ts";

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
  const counted = fastState
    .countInWindow({ key, ...limits, nowMs: clock.now().getTime() })
    .catch((cause: unknown) => {
      throw new AppError("service_unavailable", { internal: `cannot count ${key}`, cause });
    });
  return withDeadline(counted, settings.storeTimeoutMs, `counting ${key}`);
}
