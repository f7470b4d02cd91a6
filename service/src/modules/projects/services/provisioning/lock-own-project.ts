import type { Tx } from "../../../../db/database.ts";
import { lockProject, type Project } from "../../queries.ts";
import type { Service } from "../queries.ts";

/**
 * Locks and returns the project of a service that a workflow changes. It checks no agent or project binding, because
 * the request did. Lock the project before the service, in the order of all transactions, so that they cannot deadlock.
 */
export function lockOwnProject(
  tx: Tx,
  { tenantId, mode, projectId }: Pick<Service, "tenantId" | "mode" | "projectId">,
): Promise<Project> {
  return lockProject(tx, { tenantId, mode, projectId, agentIds: [], projectIds: [] });
}
