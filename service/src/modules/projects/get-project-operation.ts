import type { App } from "../../app.ts";
import type { OperationId } from "../../foundation/ids.ts";
import { getOperationRow, type Operation } from "../../operations/queries.ts";
import { getProjectRow, type ProjectKey } from "./queries.ts";

/** An operation of the project, with its steps. Throws `project_not_found` or `operation_not_found`. */
export async function getOperation(
  app: Pick<App, "db">,
  { key, operationId }: { readonly key: ProjectKey; readonly operationId: OperationId },
): Promise<Operation> {
  const project = await getProjectRow(app.db, key);
  return getOperationRow(app.db, project, operationId);
}
