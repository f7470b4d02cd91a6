import type { Tx } from "../../../../db/database.ts";
import { lockProject, type Project } from "../../queries.ts";
import type { Service } from "../queries.ts";

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
