import type { FastifyRequest } from "fastify";
import { AppError } from "../../../foundation/errors.ts";
import { isId } from "../../../foundation/ids.ts";
import type { ProjectKey } from "../../../modules/projects/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { principalOf } from "../../route.ts";

/** The project that the path names, within reach. An id of the wrong form is as absent as one that nobody has. */
export function projectKeyOf(request: FastifyRequest, projectId: string): ProjectKey {
  if (!isId("proj", projectId)) {
    throw new AppError("project_not_found", { internal: "not the form of a project's id" });
  }
  return { ...scopeOf(principalOf(request)), projectId };
}
