import type { Tx } from "../../../db/database.ts";
import { lockProject, type Project } from "../../projects/queries.ts";
import { listServicesInPlace, type Service, serviceRows } from "../queries.ts";

/**
 * Locks and returns the project of a service that a workflow changes. API key bindings are not checked again: they were
 * checked when the change was requested. Lock the project before the service: all transactions use that order, which
 * prevents deadlocks.
 */
export function lockOwnProject(
  tx: Tx,
  { tenantId, mode, projectId }: Pick<Service, "tenantId" | "mode" | "projectId">,
): Promise<Project> {
  return lockProject(tx, { tenantId, mode, projectId, agentIds: [], projectIds: [] });
}

/** Locks the project and its services that have, or may have, a resource at the provider, and returns the services. */
export async function lockServicesInPlace(
  tx: Tx,
  key: Pick<Service, "tenantId" | "mode" | "projectId">,
): Promise<Service[]> {
  const project = await lockOwnProject(tx, key);
  const locked: Service[] = [];
  for (const service of await listServicesInPlace(tx, project)) {
    locked.push(await serviceRows.lockAndGet(tx, service));
  }
  return locked;
}
