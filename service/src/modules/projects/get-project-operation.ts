import type { App } from "../../app.ts";
import { AppError } from "../../foundation/errors.ts";
import type { OperationId } from "../../foundation/ids.ts";
import { findOperation, type Operation } from "../../operations/queries.ts";
import { getProjectRow, type ProjectKey } from "./queries.ts";

/** Returns one of the project's operations with its steps. Throws `project_not_found` or `operation_not_found`. */
export async function getProjectOperation(
  { db }: Pick<App, "db">,
  { key, operationId }: { readonly key: ProjectKey; readonly operationId: OperationId },
): Promise<Operation> {
  const { projectId } = await getProjectRow(db, key);
  const operation = await findOperation(db, { ...key, operationId });
  if (operation?.projectId !== projectId) {
    const internal = `no operation ${operationId} of this project`;
    throw new AppError("operation_not_found", { internal });
  }
  return operation;
}
