import type { App } from "../../app.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { stalledKillSwitches } from "../../modules/kill-switches/queries.ts";
import { runKillSwitch } from "./run-kill-switch.ts";

/** A process that runs a kill switch changes its row more often than this. */
const STALLED_MS = 5_000;
/** So that one large account does not delay the others. */
const RUN_MS = 30_000;

/** Continues kill switches whose process has died or has stopped waiting. */
export async function continueKillSwitches(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - STALLED_MS);
  await tryEach(stalledKillSwitches(app.db, before), (key) => runKillSwitch(app, key, RUN_MS));
}
