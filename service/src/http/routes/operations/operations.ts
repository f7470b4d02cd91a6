import { operationResource, presentOperation } from "../../../operations/operation-resource.ts";
import { getOperation } from "../../../operations/operations.ts";
import { allSagas } from "../../../workflows/sagas.ts";
import { hasScope, principalOf, scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const OperationResource = operationResource(allSagas.map(({ type }) => type));

export const getOperationRoute = endpoint("GET /api/v1/svc/operations/:operation_id", {
  operationId: "getOperationById",
  sdk: "operations.get",
  summary: "Get an operation",
  description:
    "Returns an operation and its steps, even if it does not belong to a project. Requires the read scope for the operation's type, for example `projects:read`. Without this scope, the call fails with 403 `insufficient_scope`. Fails with 404 `operation_not_found` if the key is bound to projects or agents and cannot access the operation's subject. The operation that deleted a project stays readable. Never returns credentials.",
  auth: "tenant",
  scope: null,
  agentBound: "allowed",
  projectBound: "allowed",
  answers: { 200: OperationResource },
  errors: ["insufficient_scope", "operation_not_found"],
  run: async (app, request) => {
    const principal = principalOf(request);
    const operation = await getOperation(app, {
      scope: scopeOf(request),
      operationId: pathId("op", request.params.operation_id),
      hasScope: (scope) => hasScope(principal, scope),
    });
    return presentOperation(operation);
  },
});
