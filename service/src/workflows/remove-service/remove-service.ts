import type { App } from "../../app.ts";
import type { OperationId } from "../../foundation/ids.ts";
import { type RequestRemoval, requestRemoval } from "../../modules/projects/index.ts";
import { runOperation } from "../run-operation.ts";
import { REMOVE_SERVICE } from "./saga.ts";

/**
 * Removes a service, and waits for as long as a caller may be kept: how far it has come stands in the operation. From the
 * call on the service gives nothing to its project's environment. Throws what `requestRemoval` throws.
 */
export async function removeService(app: App, command: RequestRemoval): Promise<OperationId> {
  const operationId = await requestRemoval(app, command);
  await runOperation(app, REMOVE_SERVICE, { tenantId: command.key.tenantId, operationId });
  return operationId;
}
