import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { getOperation } from "../../../operations/get-operation.ts";
import { presentOperation } from "../../../operations/present-operation.ts";
import { principalOf, type Server } from "../../route.ts";
import { credentialErrors, Problem } from "../../schemas/errors.ts";
import { OperationOut, operationIdOf } from "../projects/operation-out.ts";
import { projectScopeOf } from "../projects/project-reach.ts";

export function getOperationRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/operations/:operation_id",
    // The scope is that of the operation's type.
    config: { auth: "tenant", scope: null, agentBound: "allowed" },
    schema: {
      operationId: "getOperationById",
      tags: ["Operations"],
      summary: "How far a long piece of work is, whatever it is about",
      params: Type.Object({ operation_id: Type.String() }),
      response: { 200: OperationOut, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const operation = await getOperation(app, {
        reader: projectScopeOf(request),
        operationId: operationIdOf(request.params.operation_id),
        mayRead: (scope) => principal.kind === "session" || principal.scopes.includes(scope),
      });
      return presentOperation(operation);
    },
  });
}
