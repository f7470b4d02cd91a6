export { addService } from "./add-service/add-service.ts";
export { anchorAudit } from "./anchor-audit.ts";
export { createApiKey } from "./create-api-key.ts";
export { deleteProject } from "./delete-project/delete-project.ts";
export { escalateStuckOperations } from "./escalate-stuck-operations.ts";
export { removeService } from "./remove-service/remove-service.ts";
export { rotateDataKeys } from "./rotate-data-keys.ts";
export { sagas, workflowsOf } from "./sagas.ts";
export { startPendingOperations } from "./start-pending-operations.ts";
