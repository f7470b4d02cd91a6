import type { App } from "../../app.ts";
import { getProjectRow, type ProjectKey } from "../projects/queries.ts";
import { type Link, listLinkRows } from "./queries.ts";

export interface ListLinks {
  readonly key: ProjectKey;
  /** The last link on the previous page, or undefined for the first page. */
  readonly afterLinkId: string | undefined;
  readonly limit: number;
}

/** Returns one page of the project's links, newest first. Throws `project_not_found`. */
export async function listLinks(
  app: Pick<App, "db">,
  { key, afterLinkId, limit }: ListLinks,
): Promise<{ readonly links: readonly Link[]; readonly hasMore: boolean }> {
  const project = await getProjectRow(app.db, key);
  const rows = await listLinkRows(app.db, project, { afterLinkId, limit: limit + 1 });
  return { links: rows.slice(0, limit), hasMore: rows.length > limit };
}
