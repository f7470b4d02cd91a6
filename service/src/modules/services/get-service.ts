import type { App } from "../../app.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import { getProjectRow, type ProjectKey } from "../projects/queries.ts";
import { getServiceRow, type Service, serviceRows } from "./queries.ts";
import { type CredentialPull, listCredentialPulls } from "./rotation/queries.ts";
import { PULLERS_MAX } from "./service-resource.ts";

export interface FoundService {
  readonly service: Service;
  /** Newest first, at most `PULLERS_MAX`. */
  readonly pulls: readonly CredentialPull[];
}

/**
 * Returns one of the project's services, and the API keys that have pulled its credential. Throws `project_not_found`, or
 * `service_not_found` if the service does not exist or was removed.
 */
export async function getService(
  app: Pick<App, "db">,
  { key, serviceId }: { readonly key: ProjectKey; readonly serviceId: ServiceId },
): Promise<FoundService> {
  const project = await getProjectRow(app.db, key);
  const service = await getServiceRow(app.db, project, serviceId);
  return { service, pulls: await listCredentialPulls(app.db, service, PULLERS_MAX) };
}

/** Returns the service that an operation belongs to, whatever its status, including failed and removed services. */
export async function getServiceOfOperation(
  { db }: Pick<App, "db">,
  { tenantId }: ProjectKey,
  serviceId: ServiceId,
): Promise<Service> {
  return serviceRows.get(db, { tenantId, serviceId });
}
