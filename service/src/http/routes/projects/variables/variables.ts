import { Type } from "typebox";
import { invalidField } from "../../../../foundation/errors.ts";
import { readerOfReserved, VARIABLE_NAME_PATTERN } from "../../../../foundation/variable-names.ts";
import { Flag, ListOf, NamedObject, STORABLE_TEXT, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import {
  deleteVariable,
  getVariable,
  listVariables,
  presentVariable,
  setVariable,
  VariableResource,
} from "../../../../modules/env/variables/variables.ts";
import { actorOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../../cursor.ts";
import { endpoint, type Route } from "../../../route.ts";
import { EnvironmentNames, VariableName } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

const getVariableRoute = endpoint("GET /api/v1/svc/projects/:project_id/variables/:name", {
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

const listVariablesRoute = endpoint("GET /api/v1/svc/projects/:project_id/variables", {
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
    return presentPage(page, presentVariable, "name");
  },
});

/** The size of a variable's value in UTF-8. */
export const VALUE_BYTES_MAX = 32 * 1024;

const VariableSetRequest = StrictObject("VariableSetRequest", {
  value: Text("The value: UTF-8 text of at most 32 KiB without NUL characters.", {
    maxLength: VALUE_BYTES_MAX,
    ...STORABLE_TEXT,
  }),
  environments: Type.Optional(
    EnvironmentNames({
      description: "Environments in which to set the variable. Default: all environments of the project.",
    }),
  ),
  sensitive: Type.Optional(
    Flag(
      "Whether the value is a secret that tools should not display. Applies to the variable in all environments. Default: true.",
    ),
  ),
});

const setVariableRoute = endpoint("PUT /api/v1/svc/projects/:project_id/variables/:name", {
  operationId: "setVariable",
  sdk: "projects.variables.set",
  summary: "Set a variable",
  description:
    "Sets a variable in some or all of the project's environments. Its values in other environments are unchanged. Fails with `validation_error` for a name that is reserved in any case, such as `PATH`, with `already_exists` if another variable has the name in another case, and with `conflict` if the project would exceed 1,000 variables, 8 MiB of values, or 1 MiB of values in one environment.",
  auth: "tenant",
  scope: "projects:write",
  replayGuard: "always",
  params: Type.Object({ project_id: Type.String(), name: VariableName }),
  body: VariableSetRequest,
  answers: { 200: VariableResource },
  errors: ["validation_error", "already_exists", "conflict"],
  example: { value: "hello" },
  run: async (app, request) => {
    const { project_id, name } = request.params;
    const { value, environments, sensitive = true } = request.body;
    const reader = readerOfReserved(name);
    if (reader !== undefined) {
      const detail = `is reserved: ${reader} read it, and its value can change which code runs. Choose another name.`;
      throw invalidField("/path/name", "reserved", detail);
    }
    if (Buffer.byteLength(value) > VALUE_BYTES_MAX) {
      throw invalidField("/body/value", "maxLength", "must be at most 32 KiB in UTF-8");
    }
    const variable = await setVariable(app, {
      actor: actorOf(request),
      key: projectKeyOf(request, project_id),
      name,
      value,
      environments,
      sensitive,
    });
    return presentVariable(variable);
  },
});

const deleteVariableRoute = endpoint("DELETE /api/v1/svc/projects/:project_id/variables/:name", {
  operationId: "deleteVariable",
  sdk: "projects.variables.delete",
  summary: "Delete a variable",
  description: "Deletes the variable and its values in all environments.",
  auth: "tenant",
  scope: "projects:write",
  replayGuard: "strict",
  params: Type.Object({ project_id: Type.String(), name: VariableName }),
  answers: {
    200: NamedObject("DeletedVariable", {
      object: Type.Literal("variable"),
      name: Type.String(),
      environments: ListOf(Type.String(), "Environments in which the variable had a value."),
      deleted: Type.Literal(true),
    }),
  },
  run: async (app, request) => {
    const { environments, name } = await deleteVariable(app, {
      actor: actorOf(request),
      key: projectKeyOf(request, request.params.project_id),
      name: request.params.name,
    });
    return {
      object: "variable" as const,
      name,
      environments: [...environments],
      deleted: true as const,
    };
  },
});

export const variableRoutes: readonly Route[] = [
  listVariablesRoute,
  getVariableRoute,
  setVariableRoute,
  deleteVariableRoute,
];
