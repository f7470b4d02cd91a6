import type { App } from "../../app.ts";
import { readDatabaseTime } from "./queries.ts";

const ALARM_MS = 2_000;
const REFUSAL_MS = 5_000;

/**
 * Compares this machine's clock with the database's (contract, ruling 22): two seconds apart is an alarm, at five nothing
 * is served until they agree again, since nonces, expiries and grace periods would be wrong. A database that does not
 * answer says nothing about the clock.
 *
 * @param machineNow the machine's own time, never a clock that a test has moved
 */
export async function watchClock(
  app: Pick<App, "db" | "log" | "health">,
  machineNow: () => Date,
): Promise<void> {
  const before = machineNow().getTime();
  const database = (await readDatabaseTime(app.db)).getTime();
  // Where in the round trip the database read its clock is not known, so all of it counts in the machine's favour.
  const after = machineNow().getTime();
  const skewMs = database < before ? before - database : Math.max(0, database - after);

  app.health.refusal = skewMs >= REFUSAL_MS ? `the clock is ${skewMs} ms off the database's` : null;
  if (skewMs >= ALARM_MS) app.log.error({ skewMs }, "the clock is off the database's");
}
