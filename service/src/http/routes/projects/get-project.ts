import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { getProject, ProjectResource, presentProject } from "../../../modules/projects/index.ts";
import type { Server } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export function getProjectRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id",
    config: {
      auth: "tenant",
      scope: "projects:read",
      agentBound: "allowed",
      sample: { sdk: "projects.get(PROJECT_ID)" },
    },
    schema: {
      operationId: "getProject",
      tags: ["Projects"],
      summary: "Get a project",
      description: "Returns the project with its usage in the current month.",
      params: Type.Object({ project_id: Type.String() }),
      response: { 200: ProjectResource, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => presentProject(await getProject(app, projectKeyOf(request, request.params.project_id))),
  });
}
