import type { App } from "../app.ts";
import { AppError } from "../foundation/errors.ts";
import type { OperationId } from "../foundation/ids.ts";
import type { Scope } from "../foundation/vocabulary.ts";
import type { OperationReader } from "./operation-kind.ts";
import { findOperationRow, listSteps, type Operation } from "./queries.ts";

/**
 * An operation of the tenant's, with its steps. Throws `operation_not_found`, which one that the reader does not reach is
 * too, and `insufficient_scope` where `mayRead` does not have the scope of its type.
 */
export async function getOperation(
  { db, operationKinds }: Pick<App, "db" | "operationKinds">,
  {
    reader,
    operationId,
    mayRead,
  }: {
    readonly reader: OperationReader;
    readonly operationId: OperationId;
    readonly mayRead: (scope: Scope) => boolean;
  },
): Promise<Operation> {
  const row = await findOperationRow(db, { ...reader, operationId });
  const kind = operationKinds.get(row?.type ?? "");
  const isBound = reader.agentIds.length > 0 || reader.projectIds.length > 0;
  const isReached =
    row !== undefined &&
    kind !== undefined &&
    (!isBound || (await kind.isReached(db, reader, row)));
  if (!isReached) {
    throw new AppError("operation_not_found", { internal: `no operation ${operationId} in reach` });
  }
  if (!mayRead(kind.readScope)) {
    throw new AppError("insufficient_scope", { internal: `no ${kind.readScope}` });
  }
  // Read after it, so that one that has ended never shows a step that has not.
  return { ...row, steps: await listSteps(db, row) };
}
