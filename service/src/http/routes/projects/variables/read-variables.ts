import { Type } from "typebox";
import { VARIABLE_NAME_PATTERN } from "../../../../foundation/text/variable-names.ts";
import { presentVariable, VariableResource } from "../../../../modules/env/variables/variable-resource.ts";
import { getVariable, listVariables } from "../../../../modules/env/variables/variables.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { endpoint } from "../../../route.ts";
import { VariableName } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

export const getVariableRoute = endpoint("GET /api/v1/svc/projects/:project_id/variables/:name", {
  operationId: "getVariable",
  sdk: "projects.variables.get",
  summary: "Get a variable",
  description: "Returns a variable's metadata. Only `GET /projects/{project_id}/env` returns values.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  params: Type.Object({ project_id: Type.String(), name: VariableName }),
  answers: { 200: VariableResource },
  run: async (app, request) => {
    const { project_id, name } = request.params;
    return presentVariable(await getVariable(app, { key: projectKeyOf(request, project_id), name }));
  },
});

const NAME_FORM = new RegExp(VARIABLE_NAME_PATTERN);

export const listVariablesRoute = endpoint("GET /api/v1/svc/projects/:project_id/variables", {
  operationId: "listVariables",
  sdk: "projects.variables.list",
  summary: "List variables",
  description:
    "Returns the names and metadata of the project's variables, sorted by name. Does not include values or the variables of services.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(VariableResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const key = projectKeyOf(request, request.params.project_id);
    const page = await listVariables(app, key, { after: decodeCursor(cursor, NAME_FORM), limit });
    return presentPage(page, presentVariable, ({ name }) => name);
  },
});
