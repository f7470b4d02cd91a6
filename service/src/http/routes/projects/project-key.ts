import type { FastifyRequest } from "fastify";
import type { ProjectKey } from "../../../modules/projects/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { principalOf } from "../../route.ts";

/**
 * Returns the key of the project in the path, with the scope of the caller's credential. A malformed id throws a 404.
 */
export function projectKeyOf(request: FastifyRequest, projectId: string): ProjectKey {
  return { ...scopeOf(principalOf(request)), projectId: pathId("proj", projectId) };
}
