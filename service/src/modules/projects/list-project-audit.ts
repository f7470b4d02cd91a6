import type { App } from "../../app.ts";
import { type EntryPage, listEntries } from "../../audit/entries/list-entries.ts";
import { getProjectRow, type ProjectKey } from "./queries.ts";

export interface ListProjectAudit {
  readonly key: ProjectKey;
  /** The last sequence number on the previous page, or undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

/** Returns one page of the tenant's audit entries about the project, newest first. Throws `project_not_found`. */
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
