import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { isId, isUuid, type KillSwitchId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAgent } from "../../modules/agents/agents.ts";
import { withdrawMatchingKeys } from "../../modules/developers/keys/withdraw-keys.ts";
import {
  endRun,
  type NewKillSwitch,
  restartKillSwitch,
  startKillSwitch,
} from "../../modules/kill-switches/kill-switches.ts";
import {
  continueRun,
  type KillSwitch,
  type KillSwitchKey,
  killSwitchRows,
  killSwitchTargetRows,
  listKilledAgentIds,
  saveTarget,
  stalledKillSwitches,
} from "../../modules/kill-switches/queries.ts";
import { isProjectInScope, unscopedKey } from "../../modules/projects/queries.ts";
import { lockCreations } from "../../revocations/queries.ts";
import { listUnreported } from "./queries.ts";
import type { Killed, KillRun, TargetKind } from "./target-kind.ts";
import { targetKinds } from "./target-kinds.ts";

/** The kill switch that a request triggered or repeated. */
export interface TriggeredKillSwitch {
  readonly killSwitchId: KillSwitchId;
}

/**
 * Marks the target as killed, then kills what is below it until the kill switch ends, or until the request has waited long
 * enough. Nothing is created below the target meanwhile. A target that is being killed already gets the same kill switch.
 * Throws `agent_not_found`, `project_not_found`, `developer_not_found` and `conflict`.
 */
export async function triggerKillSwitch(
  app: App,
  { actor, target }: { readonly actor: Actor; readonly target: NewKillSwitch },
  saveResponse: SaveResponse<TriggeredKillSwitch>,
): Promise<TriggeredKillSwitch> {
  return markAndRun(app, actor, saveResponse, async (tx) => {
    const targetId = await requireTarget(tx, actor, target);
    return startKillSwitch(tx, app, actor, { ...target, targetId });
  });
}

/** Runs a kill switch again: kills what is not dead, and reports anew. Throws `kill_switch_not_found`. */
export async function reconcileKillSwitch(
  app: App,
  { actor, key }: { readonly actor: Actor; readonly key: KillSwitchKey },
  saveResponse: SaveResponse<TriggeredKillSwitch>,
): Promise<TriggeredKillSwitch> {
  return markAndRun(app, actor, saveResponse, (tx) => restartKillSwitch(tx, app, actor, key));
}

async function markAndRun(
  app: App,
  actor: Actor,
  saveResponse: SaveResponse<TriggeredKillSwitch>,
  mark: (tx: Tx) => Promise<KillSwitch>,
): Promise<TriggeredKillSwitch> {
  const killSwitch = await withTransaction(app.db, actor.tenantId, async (tx) => {
    await lockCreations(tx, actor, "exclusive");
    const marked = await mark(tx);
    await saveResponse(tx, { killSwitchId: marked.killSwitchId });
    return marked;
  });
  await runKillSwitch(app, killSwitch, app.settings.syncWaitMs).catch((thrown: unknown) => {
    // The target is marked, and a job continues. The response says that the kill switch is running.
    const { killSwitchId } = killSwitch;
    app.log.error({ err: thrown, killSwitchId }, "a kill switch was interrupted");
  });
  return { killSwitchId: killSwitch.killSwitchId };
}

/** Returns the target's id as it is stored. */
async function requireTarget(
  tx: Tx,
  { tenantId, mode }: Actor,
  { scope, targetId }: Pick<NewKillSwitch, "scope" | "targetId">,
): Promise<string> {
  if (scope === "developer") {
    if (targetId !== tenantId) throw new AppError("developer_not_found");
    return targetId;
  }
  if (scope === "agent") {
    if (!isUuid(targetId)) throw new AppError("agent_not_found");
    const agentId = targetId.toLowerCase();
    await requireAgent(tx, { tenantId, mode, agentId });
    return agentId;
  }
  const isKnown =
    isId("proj", targetId) && (await isProjectInScope(tx, unscopedKey({ tenantId, mode, projectId: targetId })));
  if (!isKnown) throw new AppError("project_not_found");
  return targetId;
}

/** A process that runs a kill switch changes its row more often than this. */
const STALLED_MS = 5_000;
/** So that one large account does not delay the others. */
const RUN_MS = 30_000;
const TARGETS_LISTED = 100;

/** Continues kill switches whose process has died or has stopped waiting. */
export async function continueKillSwitches(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - STALLED_MS);
  await tryEach(stalledKillSwitches(app.db, before), (key) => runKillSwitch(app, key, RUN_MS));
}

/**
 * Runs a kill switch until it ends, or for this time at most. A job continues it. Does nothing if it is not running.
 *
 * The keys die last: the calling key among them must be able to repeat the request until the rest is dead.
 */
async function runKillSwitch(app: App, key: KillSwitchKey, maxMs: number): Promise<void> {
  const killSwitch = await killSwitchRows.get(app.db, key);
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

/**
 * Kills the targets of one kind until none is new. Each target has its own transaction, so that no other transaction waits
 * for long, and a process that dies loses nothing of what it has done. Two processes can run this at the same time.
 *
 * @returns false if the run has ended meanwhile, or if it is time to stop
 */
async function killTargets(app: App, run: KillRun, kind: TargetKind, isTimeToStop: () => boolean): Promise<boolean> {
  for (;;) {
    const targetIds = await listUnreported(app.db, run.killSwitch, kind.type, {
      at: app.clock.now(),
      limit: TARGETS_LISTED,
    });
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
      const reported = await killSwitchTargetRows.find(tx, { ...run.killSwitch, ...target });
      if (reported?.run === run.killSwitch.run) return true;
      await saveTarget(tx, run.killSwitch, { ...target, ...(await killed(tx)) });
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

/**
 * Revokes the keys that the kill switch covers, in one transaction. The next request with one of them fails. The calling
 * key is the last.
 */
async function killKeys(app: App, { killSwitch, actor }: KillRun): Promise<void> {
  const agentIds = new Set(await listKilledAgentIds(app.db, killSwitch));
  await withdrawMatchingKeys(app, actor, {
    reason: "kill_switch",
    isMatch: (key) => key.mode === killSwitch.mode && isCovered(killSwitch, agentIds, key),
    begin: (tx, at) => continueRun(tx, killSwitch, at),
    withdrawn: (tx, { keyId: targetId }) =>
      saveTarget(tx, killSwitch, { targetType: "api_key", targetId, outcome: "killed" }),
  });
}

function isCovered(
  { scope, targetId }: KillSwitch,
  agentIds: ReadonlySet<string>,
  key: { readonly agentIds: readonly string[]; readonly projectIds: readonly string[] },
): boolean {
  if (scope === "developer") return true;
  if (scope === "project" && key.projectIds.includes(targetId)) return true;
  const bound = key.agentIds.map((agentId) => agentId.toLowerCase());
  return bound.length > 0 && bound.every((agentId) => agentIds.has(agentId));
}
