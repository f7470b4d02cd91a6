import type { FastifyRequest } from "fastify";
import type { ProjectKey } from "../../../modules/projects/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { principalOf } from "../../route.ts";

/** The project in the path, with what the caller's credential may reach. */
export function projectKeyOf(request: FastifyRequest, projectId: string): ProjectKey {
  return { ...scopeOf(principalOf(request)), projectId: pathId("proj", projectId) };
}
