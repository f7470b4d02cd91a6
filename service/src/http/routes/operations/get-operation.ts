import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { getOperation } from "../../../operations/get-operation.ts";
import { presentOperation } from "../../../operations/present-operation.ts";
import { hasScope, scopeOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { OperationOut, operationIdOf } from "../projects/operation-out.ts";

export function getOperationRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/operations/:operation_id",
    // The scope depends on the operation's type.
    config: { auth: "tenant", scope: null, agentBound: "allowed" },
    schema: {
      operationId: "getOperationById",
      tags: ["Operations"],
      summary: "Get an operation",
      params: Type.Object({ operation_id: Type.String() }),
      response: { 200: OperationOut, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const operation = await getOperation(app, {
        scope: scopeOf(principal),
        operationId: operationIdOf(request.params.operation_id),
        hasScope: (scope) => hasScope(principal, scope),
      });
      return presentOperation(operation);
    },
  });
}
