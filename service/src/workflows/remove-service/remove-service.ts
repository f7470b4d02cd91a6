import type { App } from "../../app.ts";
import type { OperationId } from "../../foundation/ids.ts";
import { type RequestRemoval, requestRemoval } from "../../modules/services/request-removal.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
import { removeServiceSaga } from "./saga.ts";

/**
 * Removes a service and waits for at most `syncWaitMs`. The operation shows the progress. From this call on, env
 * bundles do not contain the service's variables. Throws the errors of `requestRemoval`.
 */
export async function removeService(app: App, command: Omit<RequestRemoval, "kind">): Promise<OperationId> {
  const { serviceId, key } = command;
  const kind = removeServiceSaga;
  const { operationId, isDone } = await requestRemoval(app, { ...command, kind });
  if (isDone) await deleteProvisioningHistory(app, { ...key, serviceId });
  else await runOperation(app, kind.type, { tenantId: key.tenantId, operationId });
  return operationId;
}
