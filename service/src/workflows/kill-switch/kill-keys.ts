import type { App } from "../../app.ts";
import { withdrawMatchingKeys } from "../../modules/developers/keys/withdraw-keys.ts";
import { continueRun, type KillSwitch, listTargetIds, saveTarget } from "../../modules/kill-switches/queries.ts";
import type { KillRun } from "./target-kind.ts";

/**
 * Revokes the keys that the kill switch covers, in one transaction. The next request with one of them fails. The calling
 * key is the last.
 */
export async function killKeys(app: App, { killSwitch, actor }: KillRun): Promise<void> {
  const agentIds = new Set(await listTargetIds(app.db, killSwitch, "agent"));
  await withdrawMatchingKeys(app, actor, {
    reason: "kill_switch",
    isMatch: (key) => key.mode === killSwitch.mode && isCovered(killSwitch, agentIds, key),
    begin: (tx, at) => continueRun(tx, killSwitch, at),
    withdrawn: (tx, { keyId: targetId }) =>
      saveTarget(tx, killSwitch, {
        targetType: "api_key",
        targetId,
        outcome: "killed",
        onchain: null,
        detail: null,
      }),
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
