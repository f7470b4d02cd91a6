import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { endRun } from "../../modules/kill-switches/end-run.ts";
import { continueRun, getKillSwitchRow, type KillSwitchKey } from "../../modules/kill-switches/queries.ts";
import { killKeys } from "./kill-keys.ts";
import { killTargets } from "./kill-targets.ts";
import type { KillRun } from "./target-kind.ts";
import { targetKinds } from "./target-kinds.ts";

/**
 * Runs a kill switch until it ends, or for this time at most. A job continues it. Does nothing if it is not running.
 *
 * The keys die last: the calling key among them must be able to repeat the request until the rest is dead.
 */
export async function runKillSwitch(app: App, key: KillSwitchKey, maxMs: number): Promise<void> {
  const killSwitch = await getKillSwitchRow(app.db, key);
  if (killSwitch.status !== "running") return;
  const { tenantId, mode, actor, requestId } = killSwitch;
  const run: KillRun = { killSwitch, actor: { tenantId, mode, actor, requestId } };
  const endsAtMs = app.clock.now().getTime() + maxMs;
  const isTimeToStop = () => app.clock.now().getTime() >= endsAtMs;

  for (const kind of targetKinds) {
    if (!(await killTargets(app, run, kind, isTimeToStop))) return;
  }
  await killKeys(app, run);
  await end(app, run);
}

async function end(app: App, { killSwitch, actor }: KillRun): Promise<void> {
  await withTransaction(app.db, killSwitch.tenantId, async (tx) => {
    const isRunning = await continueRun(tx, killSwitch, app.clock.now());
    if (isRunning) await endRun(tx, app, actor, killSwitch);
  });
}
