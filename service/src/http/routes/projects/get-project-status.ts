import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { getProjectStatus, ProjectStatusResource, presentProjectStatus } from "../../../modules/projects/index.ts";
import type { Server } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export function getProjectStatusRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id/status",
    config: {
      auth: "tenant",
      scope: "projects:read",
      agentBound: "allowed",
      sample: { sdk: "projects.status(PROJECT_ID)" },
    },
    schema: {
      operationId: "getProjectStatus",
      tags: ["Projects"],
      summary: "Get the status of a project",
      description:
        "Returns the project's spending in the current month, its newest charges, its services and links, and the actions that a user must take.",
      params: Type.Object({ project_id: Type.String() }),
      response: { 200: ProjectStatusResource, 404: Problem, ...credentialErrors },
    },
    handler: async (request) =>
      presentProjectStatus(await getProjectStatus(app, projectKeyOf(request, request.params.project_id))),
  });
}
