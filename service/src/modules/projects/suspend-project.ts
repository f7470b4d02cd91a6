import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { ProjectId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { recordProjectChange } from "./projects.ts";
import { getProjectOverview, lockProject, type Project, projectRows, unscopedKey } from "./queries.ts";

export interface SuspendProject {
  readonly tenantId: Project["tenantId"];
  readonly mode: Mode;
  readonly projectId: string;
  readonly at: Date;
}

/**
 * Suspends a project, unless it is being deleted. Afterwards, its env cannot be pulled, no service can be added, and no
 * payment counts toward its cap. The caller must have locked the policy revision.
 *
 * @returns the status before
 */
export async function suspendProject(
  tx: Tx,
  actor: Actor,
  { tenantId, mode, projectId, at }: SuspendProject,
): Promise<Project["status"]> {
  const key = unscopedKey({ tenantId, mode, projectId: projectId as ProjectId });
  const { status } = await lockProject(tx, key);
  if (status === "suspended" || status === "deleting") return status;
  await projectRows.updateAndGet(tx, key, { status: "suspended", updatedAt: at });
  const project = await getProjectOverview(tx, key, at);
  const facts = { fields: ["status"], previous_status: status, status: "suspended" };
  await recordProjectChange(tx, actor, {
    action: "project.updated",
    project,
    facts,
    occurredAt: at,
  });
  return status;
}
