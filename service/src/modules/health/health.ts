import type { Static } from "typebox";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { Count, NamedObject, Timestamp } from "../../foundation/wire/fields.ts";
import { listMissingMigrations, readDatabaseTime } from "./queries.ts";

/** The server's time, for clients whose signed requests need an accurate timestamp (docs/rules/signing.md). */
export const ServerTimeResource = NamedObject("ServerTime", {
  unix: Count("The server's time as a Unix timestamp in seconds."),
  iso: Timestamp,
});

export function presentServerTime(now: Date): Static<typeof ServerTimeResource> {
  return { unix: Math.floor(now.getTime() / 1000), iso: now.toISOString() };
}

interface Readiness {
  readonly ready: boolean;
  /**
   * The result of each check: `ok`, or a description of the problem. The endpoint is public, so descriptions contain no
   * server addresses.
   */
  readonly checks: Readonly<Record<"database" | "migrations" | "fast_state" | "clock", string>>;
}

/**
 * Checks that the database and the fast state (Redis, or memory if there is only one process) respond, that no
 * migration is missing, and that the clocks of this machine and the database agree.
 */
export async function checkReadiness(app: Pick<App, "db" | "fastState" | "health" | "settings">): Promise<Readiness> {
  const { storeTimeoutMs } = app.settings;
  const missing = await withDeadline(listMissingMigrations(app.db), storeTimeoutMs, "readiness").catch(() => undefined);
  const fastState = await withDeadline(app.fastState.ping(), storeTimeoutMs, "readiness").then(
    () => "ok",
    () => "does not respond",
  );
  const checks = {
    database: missing === undefined ? "does not respond" : "ok",
    migrations: describeMigrations(missing),
    fast_state: fastState,
    clock: app.health.refusal ?? "ok",
  };
  return { ready: Object.values(checks).every((check) => check === "ok"), checks };
}

function describeMigrations(missing: readonly string[] | undefined): string {
  if (missing === undefined) return "unknown";
  return missing.length === 0 ? "ok" : `missing ${missing.join(", ")}`;
}

/** From this difference between two clocks on, an error is logged. */
export const SKEW_ALARM_MS = 2_000;
/** From this difference on, nonces and expiry times would be wrong. */
export const SKEW_REFUSAL_MS = 5_000;

/**
 * Returns by how many milliseconds another clock differs from this machine's. The other clock is read at an unknown moment
 * during the call, so a time within the call counts as no difference.
 *
 * @param machineNow returns the machine's real time, even if a test has replaced the app's clock
 */
export async function measureSkewMs(readClock: () => Promise<Date>, machineNow: () => Date): Promise<number> {
  const before = machineNow().getTime();
  const other = (await readClock()).getTime();
  const after = machineNow().getTime();
  return other < before ? before - other : Math.max(0, other - after);
}

/**
 * Compares this machine's clock with the database's clock (docs/rules/conventions.md). Logs an error if they differ by
 * two seconds or more. If they differ by five seconds or more, the API is unavailable until the clocks agree again.
 */
export async function watchClock(app: Pick<App, "db" | "log" | "health">, machineNow: () => Date): Promise<void> {
  const skewMs = await measureSkewMs(() => readDatabaseTime(app.db), machineNow);
  app.health.refusal = skewMs >= SKEW_REFUSAL_MS ? `clock differs from the database's by ${skewMs} ms` : null;
  if (skewMs >= SKEW_ALARM_MS)
    app.log.error({ skewMs }, "server clock differs from the database clock: synchronize both clocks");
}
