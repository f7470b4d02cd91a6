import type { Tx } from "../../../../db/database.ts";
import { lockOwnProject } from "../provisioning/lock-own-project.ts";
import { listServicesInPlace, lockServiceById, type Service } from "../queries.ts";

/** Locks the project and its services that have, or may have, a resource at the provider, and returns the services. */
export async function lockServicesInPlace(
  tx: Tx,
  key: Pick<Service, "tenantId" | "mode" | "projectId">,
): Promise<Service[]> {
  const project = await lockOwnProject(tx, key);
  const locked: Service[] = [];
  for (const service of await listServicesInPlace(tx, project)) {
    locked.push(await lockServiceById(tx, service));
  }
  return locked;
}
