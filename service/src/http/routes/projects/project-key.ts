import type { FastifyRequest } from "fastify";
import type { ProjectKey } from "../../../modules/projects/queries.ts";
import { scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";

/**
 * Returns the id of the project in the path, together with the filter for the rows that the caller can read. With the agent
 * that acts, a key bound to agents can access only this agent's projects. Throws a 404 for a malformed id.
 */
export function projectKeyOf(
  request: FastifyRequest,
  projectId: string,
  actingAgentId: string | null = null,
): ProjectKey {
  const scope = scopeOf(request);
  const isNarrowed = scope.agentIds.length > 0 && actingAgentId !== null;
  const agentIds = isNarrowed ? [actingAgentId] : scope.agentIds;
  return { ...scope, agentIds, projectId: pathId("proj", projectId) };
}
