import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import {
  ProjectDeletionResource,
  presentProjectDeletion,
} from "../../../modules/projects/index.ts";
import { deleteProject } from "../../../workflows/index.ts";
import { actorOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export function deleteProjectRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/projects/:project_id",
    config: { auth: "tenant", scope: "projects:write" },
    schema: {
      operationId: "deleteProject",
      tags: ["Projects"],
      summary: "Delete a project, revoke its services and destroy its variables",
      params: Type.Object({ project_id: Type.String() }),
      response: {
        200: ProjectDeletionResource,
        404: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const report = await deleteProject(app, {
        actor: actorOf(request, principalOf(request)),
        key: projectKeyOf(request, request.params.project_id),
      });
      return presentProjectDeletion(report);
    },
  });
}
