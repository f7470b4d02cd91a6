import type { App } from "../../app.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import { listProjectOverviews, type ProjectOverview, type ProjectPosition } from "./queries.ts";

export interface ListProjects {
  readonly scope: TenantScope;
  /** The last project of the previous page, which can have been deleted since. Undefined to count pages. */
  readonly after: ProjectPosition | undefined;
  /** Starts at 1, after `after`. */
  readonly page: number;
  readonly perPage: number;
}

/**
 * Returns one page of the projects in scope, newest first. There is no total, because counting would read every row.
 */
export async function listProjects(
  app: Pick<App, "db" | "clock">,
  { scope, after, page, perPage }: ListProjects,
): Promise<{ readonly items: readonly ProjectOverview[]; readonly hasMore: boolean }> {
  const rows = await listProjectOverviews(app.db, scope, {
    now: app.clock.now(),
    after,
    limit: perPage + 1,
    offset: (page - 1) * perPage,
  });
  return { items: rows.slice(0, perPage), hasMore: rows.length > perPage };
}
