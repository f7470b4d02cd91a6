import type { SaveResponse } from "../idempotency/claim.ts";
import { bindPolicy } from "../modules/policies/index.ts";
import { type CreateProject, createProject } from "../modules/projects/index.ts";

type Project = Awaited<ReturnType<typeof createProject>>;

/** Creates a project, whose `policyId` must be a policy of its tenant and mode. Throws the errors of `createProject`. */
export async function createProjectWithPolicy(
  app: Parameters<typeof createProject>[0],
  command: Omit<CreateProject, "bindPolicy">,
  saveResponse: SaveResponse<Project>,
): Promise<Project> {
  return createProject(app, { ...command, bindPolicy }, saveResponse);
}
