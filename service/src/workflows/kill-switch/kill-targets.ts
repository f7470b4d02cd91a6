import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { continueRun, hasTarget, saveTarget } from "../../modules/kill-switches/queries.ts";
import type { Killed, KillRun, TargetKind } from "./target-kind.ts";

const TARGETS_LISTED = 100;

/**
 * Kills the targets of one kind until none is new. Each target has its own transaction, so that no other transaction waits
 * for long, and a process that dies loses nothing of what it has done. Two processes can run this at the same time.
 *
 * @returns false if the run has ended meanwhile, or if it is time to stop
 */
export async function killTargets(
  app: App,
  run: KillRun,
  kind: TargetKind,
  isTimeToStop: () => boolean,
): Promise<boolean> {
  for (;;) {
    const targetIds = await kind.list(app, run.killSwitch, TARGETS_LISTED);
    if (targetIds.length === 0) return true;
    for (const targetId of targetIds) {
      if (isTimeToStop() || !(await killTarget(app, run, kind, targetId))) return false;
    }
  }
}

/** Returns false if the run has ended. */
async function killTarget(app: App, run: KillRun, kind: TargetKind, targetId: string): Promise<boolean> {
  const report = (killed: (tx: Tx) => Promise<Killed>) =>
    withTransaction(app.db, run.killSwitch.tenantId, async (tx) => {
      if (!(await continueRun(tx, run.killSwitch, app.clock.now()))) return false;
      const target = { targetType: kind.type, targetId };
      // Another process continues the same run.
      if (await hasTarget(tx, run.killSwitch, target)) return true;
      const { outcome, onchain = null, detail = null } = await killed(tx);
      await saveTarget(tx, run.killSwitch, { ...target, outcome, onchain, detail });
      return true;
    });
  try {
    return await report((tx) => kind.kill(tx, app, run, targetId));
  } catch (thrown) {
    // One target that cannot be killed does not save the others. If the database does not respond, this throws too, and a
    // job continues later.
    const { killSwitchId } = run.killSwitch;
    app.log.error({ err: thrown, killSwitchId, targetId }, "a target could not be killed");
    return report(async () => ({ outcome: "failed", detail: detailOf(thrown) }));
  }
}

function detailOf(thrown: unknown): string {
  return thrown instanceof AppError ? thrown.code : "internal_error";
}
