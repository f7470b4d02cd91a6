import type { App } from "../../../app.ts";
import type { ServiceId } from "../../../foundation/ids.ts";
import type { ProjectKey } from "../queries.ts";
import { getServiceById, type Service } from "./queries.ts";

/** The service that an operation of the project is about, also where it came to nothing or is gone again. */
export async function getServiceOfOperation(
  { db }: Pick<App, "db">,
  { tenantId }: ProjectKey,
  serviceId: ServiceId,
): Promise<Service> {
  return getServiceById(db, { tenantId, serviceId });
}
