import type { Tx } from "../../../../db/database.ts";
import { lockProject, type Project } from "../../queries.ts";
import type { Service } from "../queries.ts";

/**
 * The project of a service that is being worked on, locked: whoever asked for it was let in before. Whoever locks both locks
 * the project first.
 */
export function lockOwnProject(
  tx: Tx,
  { tenantId, mode, projectId }: Pick<Service, "tenantId" | "mode" | "projectId">,
): Promise<Project> {
  return lockProject(tx, { tenantId, mode, projectId, agentIds: [], projectIds: [] });
}
