import type { App } from "../app.ts";
import { callStore } from "../foundation/deadline.ts";
import { AppError } from "../foundation/errors.ts";
import type { TenantId } from "../foundation/ids.ts";

export interface CallLimit {
  readonly limit: number;
  readonly windowMs: number;
}

export interface CountedCall {
  readonly allowed: boolean;
  readonly retryAfterMs: number;
}

/**
 * Counts a call in a sliding window shared by all replicas. Count an attempt before checking it, so that concurrent
 * attempts cannot exceed the limit. Throws `service_unavailable` if the store does not respond.
 */
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

/** Throws `rate_limited` with `Retry-After` if a counted call exceeds its limit. */
export function enforceCallLimit({ allowed, retryAfterMs }: CountedCall, internal?: string): void {
  if (allowed) return;
  throw new AppError("rate_limited", {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
    ...(internal === undefined ? {} : { internal }),
  });
}

/** Counts a call of an endpoint that reads much. Throws `rate_limited` if the account called it too often in this minute. */
export async function limitCostlyRead(
  app: Parameters<typeof countCall>[0],
  endpoint: string,
  tenantId: TenantId,
): Promise<void> {
  const limit = app.settings.costlyReadsPerMinute;
  if (limit === null) return;
  enforceCallLimit(await countCall(app, `${endpoint}:${tenantId}`, { limit, windowMs: 60_000 }));
}

/**
 * Deletes the calls counted for the key, for example after a successful login. Ignores store errors, because the window
 * expires anyway.
 */
export async function deleteCallCounts({ fastState }: Pick<App, "fastState">, key: string) {
  await fastState.resetWindow({ key }).catch(() => {});
}
