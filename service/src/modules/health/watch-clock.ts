import type { App } from "../../app.ts";
import { readDatabaseTime } from "./queries.ts";

const ALARM_MS = 2_000;
const REFUSAL_MS = 5_000;

/**
 * Compares this machine's clock with the database's clock (docs/api.md, section 11). Logs an error if they differ by
 * two seconds or more. If they differ by five seconds or more, nonces and expiry times would be wrong, so the API is
 * unavailable until the clocks agree again.
 *
 * @param machineNow returns the machine's real time, even if a test has replaced the app's clock
 */
export async function watchClock(app: Pick<App, "db" | "log" | "health">, machineNow: () => Date): Promise<void> {
  const before = machineNow().getTime();
  const database = (await readDatabaseTime(app.db)).getTime();
  // The database read its clock at an unknown moment between `before` and `after`. A database time between these two
  // values therefore counts as no difference.
  const after = machineNow().getTime();
  const skewMs = database < before ? before - database : Math.max(0, database - after);

  app.health.refusal = skewMs >= REFUSAL_MS ? `clock differs from the database's by ${skewMs} ms` : null;
  if (skewMs >= ALARM_MS)
    app.log.error({ skewMs }, "server clock differs from the database clock: synchronize both clocks");
}
