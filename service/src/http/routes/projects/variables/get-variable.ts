import { Type } from "typebox";
import { presentVariable, VariableResource } from "../../../../modules/env/variables/variable-resource.ts";
import { getVariable } from "../../../../modules/env/variables/variables.ts";
import { endpoint } from "../../../route.ts";
import { VariableName } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

export const getVariableRoute = endpoint("GET /api/v1/svc/projects/:project_id/variables/:name", {
  config: {
    auth: "tenant",
    scope: "projects:read",
    agentBound: "allowed",
    sample: { sdk: 'projects.variables.get(PROJECT_ID, "GREETING")' },
  },
  schema: {
    operationId: "getVariable",
    summary: "Get a variable",
    description: "Returns a variable's metadata. Only `GET /projects/{project_id}/env` returns values.",
    params: Type.Object({ project_id: Type.String(), name: VariableName }),
    response: { 200: VariableResource },
  },
  handler: async (app, request) => {
    const { project_id, name } = request.params;
    return presentVariable(await getVariable(app, { key: projectKeyOf(request, project_id), name }));
  },
});
