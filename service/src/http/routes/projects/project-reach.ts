import type { FastifyRequest } from "fastify";
import { AppError } from "../../../foundation/errors.ts";
import { isId } from "../../../foundation/ids.ts";
import type { ProjectKey, ProjectScope } from "../../../modules/projects/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { principalOf } from "../../route.ts";

/** Which projects the request may see. An agent-bound key reaches those that name one of its agents (contract, ruling 5). */
export function projectScopeOf(request: FastifyRequest): ProjectScope {
  const { tenantId, mode, agentIds, projectIds } = scopeOf(principalOf(request));
  return { tenantId, mode, projectIds, agentIds: agentIds.map((id) => id.toLowerCase()) };
}

/** The project that the path names, within reach. An id of the wrong form is as absent as one that nobody has. */
export function projectKeyOf(request: FastifyRequest, projectId: string): ProjectKey {
  if (!isId("proj", projectId)) {
    throw new AppError("project_not_found", { internal: "not the form of a project's id" });
  }
  return { ...projectScopeOf(request), projectId };
}
