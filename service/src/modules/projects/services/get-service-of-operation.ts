import type { App } from "../../../app.ts";
import type { ServiceId } from "../../../foundation/ids.ts";
import type { ProjectKey } from "../queries.ts";
import { getServiceById, type Service } from "./queries.ts";

/** Returns the service that an operation belongs to, whatever its status, including failed and removed services. */
export async function getServiceOfOperation(
  { db }: Pick<App, "db">,
  { tenantId }: ProjectKey,
  serviceId: ServiceId,
): Promise<Service> {
  return getServiceById(db, { tenantId, serviceId });
}
