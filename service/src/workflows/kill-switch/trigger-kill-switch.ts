import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { isId, isUuid, type KillSwitchId } from "../../foundation/ids.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAgent } from "../../modules/agents/agents.ts";
import { type NewKillSwitch, restartKillSwitch, startKillSwitch } from "../../modules/kill-switches/kill-switches.ts";
import type { KillSwitch, KillSwitchKey } from "../../modules/kill-switches/queries.ts";
import { isProjectInScope } from "../../modules/projects/queries.ts";
import { lockCreations } from "../../revocations/queries.ts";
import { runKillSwitch } from "./run-kill-switch.ts";

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
    isId("proj", targetId) &&
    (await isProjectInScope(tx, {
      ...{ tenantId, mode, agentIds: [], projectIds: [] },
      projectId: targetId,
    }));
  if (!isKnown) throw new AppError("project_not_found");
  return targetId;
}
