import type { App } from "../../../app.ts";
import type { ServiceId } from "../../../foundation/ids.ts";
import { getProjectRow, type ProjectKey } from "../queries.ts";
import { getServiceRow, type Service } from "./queries.ts";

/**
 * Returns one of the project's services. Throws `project_not_found`, or `service_not_found` if the service does not
 * exist or was removed.
 */
export async function getService(
  app: Pick<App, "db">,
  { key, serviceId }: { readonly key: ProjectKey; readonly serviceId: ServiceId },
): Promise<Service> {
  const project = await getProjectRow(app.db, key);
  return getServiceRow(app.db, project, serviceId);
}
