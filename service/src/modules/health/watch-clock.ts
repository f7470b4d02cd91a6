import type { App } from "../../app.ts";
import { readDatabaseTime } from "./queries.ts";

const ALARM_MS = 2_000;
const REFUSAL_MS = 5_000;

/**
 * Compares the clocks of this machine and the database (docs/api.md, section 11). Logs an error from two seconds of
 * difference. From five seconds the API is unavailable until they agree, because nonces and expiry times would be wrong.
 *
 * @param machineNow returns the machine's time, not that of a test's clock
 */
export async function watchClock(
  app: Pick<App, "db" | "log" | "health">,
  machineNow: () => Date,
): Promise<void> {
  const before = machineNow().getTime();
  const database = (await readDatabaseTime(app.db)).getTime();
  // The database read its clock at some time during the round trip, so a difference within it is not counted.
  const after = machineNow().getTime();
  const skewMs = database < before ? before - database : Math.max(0, database - after);

  app.health.refusal =
    skewMs >= REFUSAL_MS ? `clock differs from the database's by ${skewMs} ms` : null;
  if (skewMs >= ALARM_MS)
    app.log.error(
      { skewMs },
      "server clock differs from the database clock: synchronize both clocks",
    );
}
