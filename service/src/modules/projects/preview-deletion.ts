import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { countVariables, getProjectRow, type Project, type ProjectKey } from "./queries.ts";

export interface DeletionPreview {
  readonly project: Project;
  /** How many variables would lose their values. */
  readonly variableCount: number;
}

/** What deleting the project would do. Does nothing of it. */
export async function previewDeletion(
  app: Pick<App, "db">,
  key: ProjectKey,
): Promise<DeletionPreview> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await getProjectRow(tx, key);
    return { project, variableCount: await countVariables(tx, project) };
  });
}
