import type { App } from "../app.ts";
import type { SaveResponse } from "../idempotency/claim.ts";
import { bindPolicy } from "../modules/policies/index.ts";
import { type UpdateProject, updateProject } from "../modules/projects/index.ts";

type Project = Awaited<ReturnType<typeof updateProject>>;

/** Changes a project, whose `policyId` must be a policy of its tenant and mode. Throws the errors of `updateProject`. */
export async function updateProjectWithPolicy(
  app: Pick<App, "db" | "clock">,
  command: Omit<UpdateProject, "bindPolicy">,
  saveResponse: SaveResponse<Project>,
): Promise<Project> {
  return updateProject(app, { ...command, bindPolicy }, saveResponse);
}
