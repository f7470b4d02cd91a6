import type { App } from "../app.ts";
import type { ServiceId, TenantId } from "../foundation/ids.ts";
import { ADD_SERVICE } from "../modules/projects/index.ts";
import { listOperationsOf } from "../operations/queries.ts";

/**
 * Deletes the workflows that added the service, including their step results, which contain the encrypted credentials.
 */
export async function deleteProvisioningHistory(
  { db, durable }: Pick<App, "db" | "durable">,
  { tenantId, serviceId }: { readonly tenantId: TenantId; readonly serviceId: ServiceId },
): Promise<null> {
  const additions = { tenantId, type: ADD_SERVICE, subjectId: serviceId };
  await durable.deleteWorkflows(await listOperationsOf(db, additions));
  return null;
}
