import { getProjectOperation } from "../../../modules/projects/read-projects.ts";
import { presentOperation } from "../../../operations/operation-resource.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { OperationResource } from "../operations/operation-schema.ts";
import { projectKeyOf } from "./project-key.ts";

export const getProjectOperationRoute = endpoint("GET /api/v1/svc/projects/:project_id/operations/:operation_id", {
  operationId: "getOperation",
  sdk: "projects.operations.get",
  summary: "Get an operation of a project",
  description:
    "Returns a project's operation with the status of each step. A step that was undone after a failure has the status `compensated`. Never returns credentials. Fails with `project_not_found` or `operation_not_found`.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  answers: { 200: OperationResource },
  errors: ["project_not_found", "operation_not_found"],
  run: async (app, request) => {
    const key = projectKeyOf(request, request.params.project_id);
    const operationId = pathId("op", request.params.operation_id);
    return presentOperation(await getProjectOperation(app, { key, operationId }));
  },
});
