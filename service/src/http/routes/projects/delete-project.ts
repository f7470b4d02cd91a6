import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { ProjectDeletionResource, presentProjectDeletion } from "../../../modules/projects/index.ts";
import { deleteProject } from "../../../workflows/index.ts";
import { actorOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export function deleteProjectRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/projects/:project_id",
    config: {
      auth: "tenant",
      scope: "projects:write",
      replayGuard: "strict",
      sample: { sdk: "projects.delete(PROJECT_ID)" },
    },
    schema: {
      operationId: "deleteProject",
      tags: ["Projects"],
      summary: "Delete a project",
      description:
        "Deletes a project: removes all services, revokes the provider links, deletes the variables, and deletes the project's customer at the payment processor. `POST /projects/{project_id}/delete-preview` shows in advance what happens to each service's resource at its provider. Waits up to 20 seconds for the deletion to finish. If `status` is then `deleting`, repeat the request to check the progress. Fails with 404 `project_not_found` once the project is deleted.",
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
