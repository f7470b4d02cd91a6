import { getProjectStatus } from "../../../modules/charges/get-project-status.ts";
import { ProjectStatusResource, presentProjectStatus } from "../../../modules/charges/project-status-resource.ts";
import { endpoint } from "../../route.ts";
import { projectKeyOf } from "./project-key.ts";

export const getProjectStatusRoute = endpoint("GET /api/v1/svc/projects/:project_id/status", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    agentBound: "allowed",
    sample: { sdk: "projects.status(PROJECT_ID)" },
  },
  schema: {
    operationId: "getProjectStatus",
    summary: "Get the status of a project",
    description:
      "Returns the project's spending in the current month, its newest charges, its services and links, and the actions that a user must take.",
    response: { 200: ProjectStatusResource },
  },
  handler: async (app, request) =>
    presentProjectStatus(await getProjectStatus(app, projectKeyOf(request, request.params.project_id))),
});
