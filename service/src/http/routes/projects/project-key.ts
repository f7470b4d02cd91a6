import type { FastifyRequest } from "fastify";
import type { ProjectKey } from "../../../modules/projects/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { principalOf } from "../../route.ts";

/**
 * Returns the id of the project in the path, together with the filter for the rows that the caller can read. Throws a
 * 404 for a malformed id.
 */
export function projectKeyOf(request: FastifyRequest, projectId: string): ProjectKey {
  return { ...scopeOf(principalOf(request)), projectId: pathId("proj", projectId) };
}
