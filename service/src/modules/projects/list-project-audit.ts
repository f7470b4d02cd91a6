import type { App } from "../../app.ts";
import { type EntryPage, listEntries } from "../../audit/entries/list-entries.ts";
import { getProjectRow, type ProjectKey } from "./queries.ts";

export interface ListProjectAudit {
  readonly key: ProjectKey;
  /** Where the page before ended. Undefined: from the newest on. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

/** One page of what the tenant's trail tells of a project and of what is in it, newest first. */
export async function listProjectAudit(
  app: Pick<App, "db">,
  { key, beforeSequence, limit }: ListProjectAudit,
): Promise<EntryPage> {
  const { tenantId, projectId } = await getProjectRow(app.db, key);
  return listEntries(app, {
    key: { tenantId, chain: "tenant" },
    filter: { projectId },
    beforeSequence,
    limit,
  });
}
