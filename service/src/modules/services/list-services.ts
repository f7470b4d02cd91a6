import type { App } from "../../app.ts";
import { getProjectRow, type ProjectKey } from "../projects/queries.ts";
import { listServiceRows, type Service } from "./queries.ts";

export interface ListServices {
  readonly key: ProjectKey;
  /** The last service on the previous page, or undefined for the first page. */
  readonly afterServiceId: string | undefined;
  readonly limit: number;
}

/**
 * Returns one page of the project's services, newest first. Removed services are omitted. Throws `project_not_found`.
 */
export async function listServices(
  app: Pick<App, "db">,
  { key, afterServiceId, limit }: ListServices,
): Promise<{ readonly services: readonly Service[]; readonly hasMore: boolean }> {
  const project = await getProjectRow(app.db, key);
  const rows = await listServiceRows(app.db, project, { afterServiceId, limit: limit + 1 });
  return { services: rows.slice(0, limit), hasMore: rows.length > limit };
}
