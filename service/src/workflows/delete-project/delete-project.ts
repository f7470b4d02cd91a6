import type { App } from "../../app.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { type DeletionReport, getDeletionReport } from "./get-deletion-report.ts";
import { type RequestDeletion, requestDeletion } from "./request-deletion.ts";
import { deleteProjectSaga } from "./saga.ts";

/**
 * Deletes a project and its services, and waits for at most `syncWaitMs`. If a deletion is already running, waits for
 * it and returns its report. Throws `project_not_found`.
 */
export async function deleteProject(app: App, command: Omit<RequestDeletion, "kind">): Promise<DeletionReport> {
  const { projectId, tenantId } = command.key;
  const kind = deleteProjectSaga;
  const operationId = await requestDeletion(app, { ...command, kind });
  if (operationId === null) {
    return { projectId, status: "deleted", services: [], keptCustomerId: null };
  }
  await runOperation(app, kind.type, { tenantId, operationId });
  return getDeletionReport(app, command.key, operationId);
}
