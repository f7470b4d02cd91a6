import type { App } from "../app.ts";
import type { SaveResponse } from "../idempotency/claim.ts";
import { bindPolicy, throwIfBoundToLess } from "../modules/policies/index.ts";
import { getProjectRow, type UpdateProject, updateProject } from "../modules/projects/index.ts";

type Project = Awaited<ReturnType<typeof updateProject>>;

/**
 * Changes a project, whose `policyId` must be a policy of its tenant and mode. Throws the errors of `updateProject`, and
 * `insufficient_scope` as `throwIfBoundToLess` does.
 */
export async function updateProjectWithPolicy(
  app: Pick<App, "db" | "clock">,
  {
    mayDecide,
    ...command
  }: Omit<UpdateProject, "bindPolicy"> & {
    /** Whether the caller may decide approvals. */
    readonly mayDecide: boolean;
  },
  saveResponse: SaveResponse<Project>,
): Promise<Project> {
  const { key, change } = command;
  const bind: typeof bindPolicy = async (tx, owner, policyId) => {
    await bindPolicy(tx, owner, policyId);
    const { policyId: from, agentIds } = await getProjectRow(tx, key);
    const kept = change.agentIds === undefined ? agentIds : (change.agentIds ?? []);
    const to = change.policyId === undefined ? from : policyId;
    // Agents that leave the project are no longer asked by its policy.
    const isLeft = agentIds.some((agentId) => !kept.includes(agentId));
    await throwIfBoundToLess(tx, owner, { mayDecide, from, to: isLeft ? null : to });
  };
  return updateProject(app, { ...command, bindPolicy: bind }, saveResponse);
}
