import { Type } from "typebox";
import { NamedObject } from "../../../../foundation/wire/named-object.ts";
import { deleteVariable } from "../../../../modules/env/variables/variables.ts";
import { actorOf } from "../../../auth/principal.ts";
import { endpoint } from "../../../route.ts";
import { VariableName } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

export const deleteVariableRoute = endpoint("DELETE /api/v1/svc/projects/:project_id/variables/:name", {
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
      environments: Type.Array(Type.String(), {
        description: "Environments in which the variable had a value.",
      }),
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
