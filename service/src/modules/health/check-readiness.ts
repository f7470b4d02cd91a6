import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { listMissingMigrations } from "./queries.ts";

export interface Readiness {
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
