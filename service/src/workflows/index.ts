import type { App } from "../app.ts";
import type { DurableWorkflow } from "../durable/durable-execution.ts";
import { ADD_SERVICE, addServiceSaga } from "./add-service/saga.ts";
import { DELETE_PROJECT, deleteProjectSaga } from "./delete-project/saga.ts";
import { REMOVE_SERVICE, removeServiceSaga } from "./remove-service/saga.ts";

export { addService } from "./add-service/add-service.ts";
export { anchorAudit } from "./anchor-audit.ts";
export { createApiKey } from "./create-api-key.ts";
export { deleteProject } from "./delete-project/delete-project.ts";
export { leaveStrandedOperations } from "./leave-stranded-operations.ts";
export { removeService } from "./remove-service/remove-service.ts";
export { rotateDataKeys } from "./rotate-data-keys.ts";
export { startForgottenOperations } from "./start-forgotten-operations.ts";

/** Every workflow by the name under which it is stored, which is its operation's type. */
export function workflowsOf(app: App): Readonly<Record<string, DurableWorkflow>> {
  return {
    [ADD_SERVICE]: addServiceSaga(app),
    [REMOVE_SERVICE]: removeServiceSaga(app),
    [DELETE_PROJECT]: deleteProjectSaga(app),
  };
}
