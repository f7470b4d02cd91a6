import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { deleteVariable } from "../../../../modules/projects/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { principalOf, type Server } from "../../../route.ts";
import { VariableName } from "../project-fields.ts";
import { projectKeyOf } from "../project-key.ts";

export function deleteVariableRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/projects/:project_id/variables/:name",
    config: {
      auth: "tenant",
      scope: "projects:write",
      replayGuard: "strict",
      sample: { sdk: 'projects.variables.delete(PROJECT_ID, "GREETING")' },
    },
    schema: {
      operationId: "deleteVariable",
      tags: ["Variables"],
      summary: "Delete a variable",
      description: "Deletes the variable and its values in all environments.",
      params: Type.Object({ project_id: Type.String(), name: VariableName }),
      response: {
        200: Type.Object(
          {
            object: Type.Literal("variable"),
            name: Type.String(),
            environments: Type.Array(Type.String(), {
              description: "Environments in which the variable had a value.",
            }),
            deleted: Type.Literal(true),
          },
          { $id: "DeletedVariable" },
        ),
        404: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { environments, name } = await deleteVariable(app, {
        actor: actorOf(request, principalOf(request)),
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
}
