import type { App } from "../app.ts";
import { callStore } from "../foundation/deadline.ts";
import { AppError } from "../foundation/errors.ts";

export interface CallLimit {
  readonly limit: number;
  readonly windowMs: number;
}

export interface CountedCall {
  readonly allowed: boolean;
  readonly retryAfterMs: number;
}

/** Counts a call in a sliding window that all replicas share. Throws `service_unavailable` where it cannot be counted. */
export async function countCall(
  { fastState, clock, settings }: Pick<App, "fastState" | "clock" | "settings">,
  key: string,
  limits: CallLimit,
): Promise<CountedCall> {
  return callStore(
    fastState.countInWindow({ key, ...limits, nowMs: clock.now().getTime() }),
    settings.storeTimeoutMs,
    `counting ${key}`,
  );
}

/** Throws `rate_limited`, with the seconds to wait, where a counted call is beyond its limit. */
export function enforceCallLimit({ allowed, retryAfterMs }: CountedCall, internal?: string): void {
  if (allowed) return;
  throw new AppError("rate_limited", {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
    ...(internal === undefined ? {} : { internal }),
  });
}

/** Forgets what was counted, after a success. A window that cannot be reached now runs out by itself. */
export async function deleteCallCounts({ fastState }: Pick<App, "fastState">, key: string) {
  await fastState.forgetWindow({ key }).catch(() => {});
}
