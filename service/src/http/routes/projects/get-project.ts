import { ProjectResource, presentProject } from "../../../modules/projects/project-resource.ts";
import { getProject } from "../../../modules/projects/read-projects.ts";
import { endpoint } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export const getProjectRoute = endpoint("GET /api/v1/svc/projects/:project_id", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    agentBound: "allowed",
    sample: { sdk: "projects.get(PROJECT_ID)" },
  },
  schema: {
    operationId: "getProject",
    summary: "Get a project",
    description: "Returns the project with its usage in the current month.",
    response: { 200: ProjectResource },
  },
  handler: async (app, request) =>
    presentProject(await getProject(app, projectKeyOf(request, request.params.project_id))),
});
