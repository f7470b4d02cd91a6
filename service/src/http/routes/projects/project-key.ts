import type { FastifyRequest } from "fastify";
import type { ProjectKey } from "../../../modules/projects/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { principalOf } from "../../route.ts";

/** The project of the path with the scope of the caller's credential. An id of the wrong form is 404. */
export function projectKeyOf(request: FastifyRequest, projectId: string): ProjectKey {
  return { ...scopeOf(principalOf(request)), projectId: pathId("proj", projectId) };
}
