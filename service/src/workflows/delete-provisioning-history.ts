import type { App } from "../app.ts";
import type { OperationId, ServiceId, TenantId } from "../foundation/ids.ts";
import { ADD_SERVICE, ROTATE_SERVICE } from "../modules/services/services.ts";
import { listOperationsOf } from "../operations/queries.ts";

/** Each completed rotation deletes the workflows before it, so that only those of the newest operations can be left. */
const OPERATIONS_MAX = 1_000;

interface DeleteProvisioningHistory {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly operationId?: OperationId;
}

/**
 * Deletes the workflows that added and rotated the service, including their step results, which contain the encrypted
 * credentials. Keeps the workflow `operationId`.
 */
export async function deleteProvisioningHistory(
  { db, durable }: Pick<App, "db" | "durable">,
  { tenantId, serviceId, operationId }: DeleteProvisioningHistory,
): Promise<null> {
  for (const type of [ADD_SERVICE, ROTATE_SERVICE]) {
    const found = await listOperationsOf(db, { tenantId, type, subjectId: serviceId }, OPERATIONS_MAX);
    await durable.deleteWorkflows(found.filter((id) => id !== operationId));
  }
  return null;
}
