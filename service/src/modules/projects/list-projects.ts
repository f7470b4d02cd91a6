import type { App } from "../../app.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import { listProjectOverviews, type ProjectOverview } from "./queries.ts";

export interface ListProjects {
  readonly scope: TenantScope;
  /** Starts at 1. */
  readonly page: number;
  readonly perPage: number;
}

/**
 * Returns one page of the projects in scope, newest first. There is no total, because counting would read every row.
 */
export async function listProjects(
  app: Pick<App, "db" | "clock">,
  { scope, page, perPage }: ListProjects,
): Promise<{ readonly projects: readonly ProjectOverview[]; readonly hasMore: boolean }> {
  const rows = await listProjectOverviews(app.db, scope, {
    now: app.clock.now(),
    limit: perPage + 1,
    offset: (page - 1) * perPage,
  });
  return { projects: rows.slice(0, perPage), hasMore: rows.length > perPage };
}
