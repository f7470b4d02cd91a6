import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import type { KillSwitchScope } from "../../foundation/vocabulary.ts";
import {
  countKillSwitchesOfKey,
  findNewestKillSwitch,
  findRunningKillSwitch,
  insertKillSwitch,
  type KillSwitch,
  type KillSwitchKey,
  lockKillSwitch,
  updateKillSwitch,
} from "./queries.ts";
import { recordKillSwitchChange } from "./record-kill-switch-change.ts";

const HOUR_MS = 3_600_000;

export interface NewKillSwitch {
  readonly scope: KillSwitchScope;
  /** The id of an agent or project of the tenant and mode, or of the tenant. */
  readonly targetId: string;
  readonly reason: string;
  readonly onchain: boolean;
  readonly rotateEnv: boolean;
}

type Access = Pick<App, "clock" | "signer" | "settings">;

/**
 * Stores a new kill switch, in the mode of the actor. Returns the running one of the same target if there is one. A key
 * that has reached its maximum per hour gets the last one of the whole account within the hour, and otherwise `conflict`.
 * Dashboard sessions have no maximum, so that a stolen key cannot lock the developer out. The caller must have locked the
 * creations of the tenant and mode.
 */
export async function startKillSwitch(tx: Tx, app: Access, actor: Actor, target: NewKillSwitch): Promise<KillSwitch> {
  const { tenantId, mode } = actor;
  const running = await findRunningKillSwitch(tx, { tenantId, mode, ...target });
  if (running !== undefined) return running;
  const at = app.clock.now();
  const since = new Date(at.getTime() - HOUR_MS);
  const { key_id: keyId } = actor.actor;
  const { killSwitchesPerHour } = app.settings;
  const isSpent =
    keyId !== null && (await countKillSwitchesOfKey(tx, { tenantId, keyId }, since)) >= killSwitchesPerHour;
  if (isSpent) {
    const last =
      target.scope === "developer" ? await findNewestKillSwitch(tx, { tenantId, mode, ...target }, since) : undefined;
    if (last !== undefined) return last;
    throw new AppError("conflict", {
      detail: `An API key can trigger at most ${killSwitchesPerHour} kill switches per hour. Reconcile an earlier one, or use the dashboard, which has no limit.`,
    });
  }
  const killSwitch = await insertKillSwitch(tx, {
    ...target,
    tenantId,
    mode,
    killSwitchId: newId("kill"),
    status: "running",
    triggeredBy: JSON.stringify({ type: actor.actor.type, id: actor.actor.id }),
    ...storedActor(actor),
    keyId,
    createdAt: at,
    updatedAt: at,
  });
  await recordKillSwitchChange(tx, app, actor, "kill_switch.triggered", killSwitch);
  return killSwitch;
}

/**
 * Starts another run of a kill switch that has ended. Does nothing if it is running. Throws `kill_switch_not_found`, and
 * `conflict` while another kill switch of the same target is running. The caller must have locked the creations of the
 * tenant and mode.
 */
export async function restartKillSwitch(tx: Tx, app: Access, actor: Actor, key: KillSwitchKey): Promise<KillSwitch> {
  const before = await lockKillSwitch(tx, key);
  if (before.status === "running") return before;
  const running = await findRunningKillSwitch(tx, before);
  if (running !== undefined) {
    const detail = `The kill switch ${running.killSwitchId} of the same target is running.`;
    throw new AppError("conflict", { detail });
  }
  const killSwitch = await updateKillSwitch(tx, key, {
    ...storedActor(actor),
    run: before.run + 1,
    status: "running",
    updatedAt: app.clock.now(),
  });
  await recordKillSwitchChange(tx, app, actor, "kill_switch.reconciled", killSwitch);
  return killSwitch;
}

/** Returns who the entries of the run name. A job may write them, after the request has ended. */
function storedActor({ actor, requestId }: Actor) {
  return { actor: JSON.stringify(actor), requestId };
}
