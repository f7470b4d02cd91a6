import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { ListedPage, Page } from "../../db/pages.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import type { KillSwitchScope } from "../../foundation/vocabulary.ts";
import { type KillSwitchReport, presentKillSwitch } from "./kill-switch-resource.ts";
import {
  countKillSwitchesOfKey,
  countTargets,
  findNewestKillSwitch,
  findRunningKillSwitch,
  type KillSwitch,
  type KillSwitchKey,
  killSwitchNotFound,
  killSwitchRows,
  listKillSwitchRows,
  listTargets,
} from "./queries.ts";

const TARGETS_MAX = 1_000;

/** Returns the kill switch with its report. Throws `kill_switch_not_found`. */
export async function getKillSwitch({ db }: Pick<App, "db">, key: KillSwitchKey): Promise<KillSwitchReport> {
  const killSwitch = await killSwitchRows.find(db, key);
  if (killSwitch === undefined) throw killSwitchNotFound(key);
  return readReport(db, killSwitch);
}

async function readReport(db: Db, killSwitch: KillSwitch): Promise<KillSwitchReport> {
  const { tenantId, killSwitchId } = killSwitch;
  const counts = await countTargets(db, { tenantId, killSwitchIds: [killSwitchId] });
  const targets = await listTargets(db, killSwitch, TARGETS_MAX);
  return { killSwitch, counts: counts.get(killSwitchId) ?? [], targets };
}

export async function listKillSwitches(
  { db }: Pick<App, "db">,
  owner: Pick<KillSwitch, "tenantId" | "mode">,
  page: Page<string>,
): Promise<ListedPage<Omit<KillSwitchReport, "targets">>> {
  const { items, hasMore } = await listKillSwitchRows(db, owner, page);
  const killSwitchIds = items.map(({ killSwitchId }) => killSwitchId);
  const counts = await countTargets(db, { tenantId: owner.tenantId, killSwitchIds });
  const summaries = items.map((killSwitch) => ({ killSwitch, counts: counts.get(killSwitch.killSwitchId) ?? [] }));
  return { items: summaries, hasMore };
}

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
  const killSwitch = await killSwitchRows.insertAndGet(tx, {
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
  await recordChange(tx, app, actor, "kill_switch.triggered", killSwitch);
  return killSwitch;
}

/**
 * Starts another run of a kill switch that has ended. Does nothing if it is running. Throws `kill_switch_not_found`, and
 * `conflict` while another kill switch of the same target is running. The caller must have locked the creations of the
 * tenant and mode.
 */
export async function restartKillSwitch(tx: Tx, app: Access, actor: Actor, key: KillSwitchKey): Promise<KillSwitch> {
  const before = await killSwitchRows.lock(tx, key);
  if (before === undefined) throw killSwitchNotFound(key);
  if (before.status === "running") return before;
  const running = await findRunningKillSwitch(tx, before);
  if (running !== undefined) {
    const detail = `The kill switch ${running.killSwitchId} of the same target is running.`;
    throw new AppError("conflict", { detail });
  }
  const killSwitch = await killSwitchRows.updateAndGet(tx, key, {
    ...storedActor(actor),
    run: before.run + 1,
    status: "running",
    updatedAt: app.clock.now(),
  });
  await recordChange(tx, app, actor, "kill_switch.reconciled", killSwitch);
  return killSwitch;
}

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
    ({ outcome, onchain }) =>
      (outcome === "killed" || outcome === "already_dead") && onchain !== "blocked_pending" && onchain !== "failed",
  );
  const status = isDead ? "completed" : "blocked_pending";
  const at = app.clock.now();
  const ended = await killSwitchRows.updateAndGet(tx, killSwitch, { status, completedAt: at, updatedAt: at });
  await recordChange(tx, app, actor, `kill_switch.${status}`, ended);
}

/** Returns who the entries of the run name. A job may write them, after the request has ended. */
function storedActor({ actor, requestId }: Actor) {
  return { actor: JSON.stringify(actor), requestId };
}

async function recordChange(
  tx: Tx,
  app: Pick<App, "signer">,
  actor: Actor,
  action: "kill_switch.triggered" | "kill_switch.reconciled" | "kill_switch.completed" | "kill_switch.blocked_pending",
  killSwitch: KillSwitch,
): Promise<void> {
  const presented = presentKillSwitch(app, await readReport(tx, killSwitch));
  const { scope, id, reason, run, counts } = presented;
  const facts = { scope, id, reason, run, counts };
  const subject = { type: "kill_switch", id: killSwitch.killSwitchId };
  const occurredAt = killSwitch.updatedAt;
  await recordEntryAndEvent(tx, actor, { action, subject, facts, occurredAt }, () => presented);
}
