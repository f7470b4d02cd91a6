import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { listVariables, VARIABLE_NAME_PATTERN } from "../../../modules/projects/index.ts";
import type { Server } from "../../route.ts";
import { Nullable } from "../../schemas/common.ts";
import { credentialErrors, Problem } from "../../schemas/errors.ts";
import { Cursor, cursorAfter, LIMIT_DEFAULT, Limit, nameInCursor } from "./cursor.ts";
import { projectKeyOf } from "./project-reach.ts";
import { presentVariable, VariableOut } from "./variable-out.ts";

const NAME_FORM = new RegExp(VARIABLE_NAME_PATTERN);

export function listVariablesRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/projects/:project_id/variables",
    config: { auth: "tenant", scope: "projects:read", agentBound: "allowed" },
    schema: {
      operationId: "listVariables",
      tags: ["Projects"],
      summary: "The project's variables by name, without their values",
      params: Type.Object({ project_id: Type.String() }),
      querystring: Type.Object(
        { cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) },
        { additionalProperties: false },
      ),
      response: {
        200: Type.Object({
          object: Type.Literal("list"),
          data: Type.Array(VariableOut),
          has_more: Type.Boolean(),
          next_cursor: Nullable(Type.String()),
        }),
        404: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request) => {
      const { cursor, limit = LIMIT_DEFAULT } = request.query;
      const afterName = nameInCursor(cursor, NAME_FORM);
      const key = projectKeyOf(request, request.params.project_id);
      const { variables, hasMore } = await listVariables(app, { key, afterName, limit });
      const last = variables.at(-1);
      return {
        object: "list" as const,
        data: variables.map(presentVariable),
        has_more: hasMore,
        next_cursor: hasMore && last !== undefined ? cursorAfter(last.name) : null,
      };
    },
  });
}
