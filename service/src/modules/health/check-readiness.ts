import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { listMissingMigrations } from "./queries.ts";

export interface Readiness {
  readonly ready: boolean;
  /** What each part says: `ok`, or why it is not. In words for an operator, without addresses. */
  readonly checks: Readonly<Record<"database" | "migrations" | "fast_state" | "clock", string>>;
}

/** Whether this process can serve: its database answers and has this build's schema, its fast state answers, its clock is right. */
export async function checkReadiness(
  app: Pick<App, "db" | "fastState" | "health" | "settings">,
): Promise<Readiness> {
  const { storeTimeoutMs } = app.settings;
  const missing = await withDeadline(
    listMissingMigrations(app.db),
    storeTimeoutMs,
    "readiness",
  ).catch(() => undefined);
  const fastState = await withDeadline(app.fastState.ping(), storeTimeoutMs, "readiness").then(
    () => "ok",
    () => "does not answer",
  );
  const checks = {
    database: missing === undefined ? "does not answer" : "ok",
    migrations: describeMigrations(missing),
    fast_state: fastState,
    clock: app.health.refusal ?? "ok",
  };
  return { ready: Object.values(checks).every((check) => check === "ok"), checks };
}

function describeMigrations(missing: readonly string[] | undefined): string {
  if (missing === undefined) return "not known";
  return missing.length === 0 ? "ok" : `missing ${missing.join(", ")}`;
}
