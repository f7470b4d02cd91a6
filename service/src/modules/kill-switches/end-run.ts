import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { countTargets, type KillSwitch, updateKillSwitch } from "./queries.ts";
import { recordKillSwitchChange } from "./record-kill-switch-change.ts";

/** Ends the current run of a kill switch, whose row the caller has locked. */
export async function endRun(
  tx: Tx,
  app: Pick<App, "clock" | "signer">,
  actor: Actor,
  killSwitch: KillSwitch,
): Promise<void> {
  const { tenantId, killSwitchId } = killSwitch;
  const counts = await countTargets(tx, { tenantId, killSwitchIds: [killSwitchId] });
  const isDead = (counts.get(killSwitchId) ?? []).every(
    ({ outcome, onchain }) => (outcome === "killed" || outcome === "already_dead") && onchain !== "blocked_pending",
  );
  const status = isDead ? "completed" : "blocked_pending";
  const at = app.clock.now();
  const ended = await updateKillSwitch(tx, killSwitch, { status, completedAt: at, updatedAt: at });
  await recordKillSwitchChange(tx, app, actor, `kill_switch.${status}`, ended);
}
