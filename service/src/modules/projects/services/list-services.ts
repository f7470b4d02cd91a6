import type { App } from "../../../app.ts";
import { getProjectRow, type ProjectKey } from "../queries.ts";
import { listServiceRows, type Service } from "./queries.ts";

export interface ListServices {
  readonly key: ProjectKey;
  /** The last service of the page before. Undefined: from the newest on. */
  readonly afterServiceId: string | undefined;
  readonly limit: number;
}

/** One page of the project's services, newest first and without removed ones, and whether there are more. */
export async function listServices(
  app: Pick<App, "db">,
  { key, afterServiceId, limit }: ListServices,
): Promise<{ readonly services: readonly Service[]; readonly hasMore: boolean }> {
  const project = await getProjectRow(app.db, key);
  const rows = await listServiceRows(app.db, project, { afterServiceId, limit: limit + 1 });
  return { services: rows.slice(0, limit), hasMore: rows.length > limit };
}
