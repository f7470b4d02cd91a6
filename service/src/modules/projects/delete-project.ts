import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import {
  countVariables,
  deleteAllVariableValues,
  getProjectOverview,
  lockProject,
  type Project,
  type ProjectKey,
  updateProjectRow,
} from "./queries.ts";
import { recordProjectChange } from "./record-project-change.ts";

/**
 * Deletes a project and destroys the values of its variables. From the commit on it is absent and its name is free; the row
 * stays, since charges and the audit trail tell of it. Of several who delete at once one succeeds, and the rest find nothing.
 */
export async function deleteProject(
  app: Pick<App, "db" | "clock">,
  { actor, key }: { readonly actor: Actor; readonly key: ProjectKey },
): Promise<Project> {
  const at = app.clock.now();
  return withTransaction(app.db, key.tenantId, async (tx) => {
    await lockProject(tx, key);
    const overview = await getProjectOverview(tx, key, at);
    const variableCount = await countVariables(tx, key);
    await deleteAllVariableValues(tx, key);
    const deleted = await updateProjectRow(tx, key, {
      status: "deleted",
      deletedAt: at,
      updatedAt: at,
    });
    await recordProjectChange(tx, actor, {
      action: "project.deleted",
      project: { ...overview, ...deleted },
      facts: { name: deleted.name, variables_destroyed: variableCount },
      occurredAt: at,
    });
    return deleted;
  });
}
