import type { App } from "../app.ts";
import { AppError, missingScope } from "../foundation/errors.ts";
import type { OperationId } from "../foundation/ids.ts";
import type { TenantScope } from "../foundation/tenant-scope.ts";
import type { Scope } from "../foundation/vocabulary.ts";
import { findOperation, type Operation } from "./queries.ts";

interface GetOperation {
  readonly scope: TenantScope;
  readonly operationId: OperationId;
  readonly hasScope: (scope: Scope) => boolean;
}

/**
 * Returns the tenant's operation with its steps. Throws `operation_not_found` if the operation does not exist, or if
 * the API key is bound to other agents or projects. Throws `insufficient_scope` if the API key lacks the scope that the
 * operation's type requires.
 */
export async function getOperation(
  { db, operationKinds }: Pick<App, "db" | "operationKinds">,
  { scope, operationId, hasScope }: GetOperation,
): Promise<Operation> {
  const operation = await findOperation(db, { ...scope, operationId });
  if (operation === undefined) throw notFound(operationId);
  const kind = operationKinds.get(operation.type);
  const isBound = scope.agentIds.length > 0 || scope.projectIds.length > 0;
  if (kind === undefined || (isBound && !(await kind.canRead(db, scope, operation)))) {
    throw notFound(operationId);
  }
  if (!hasScope(kind.readScope)) throw missingScope(kind.readScope);
  return operation;
}

function notFound(operationId: OperationId): AppError {
  return new AppError("operation_not_found", {
    internal: `the key cannot read operation ${operationId}, or it does not exist`,
  });
}
