import type { App } from "../../app.ts";
import { listProjectsWithUsage, type ProjectScope, type ProjectWithUsage } from "./queries.ts";
import { periodOf } from "./usage.ts";

export interface ListProjects {
  readonly scope: ProjectScope;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** One page of the projects within reach, newest first, and whether there are more. Nothing is counted. */
export async function listProjects(
  app: Pick<App, "db" | "clock">,
  { scope, page, perPage }: ListProjects,
): Promise<{ readonly projects: readonly ProjectWithUsage[]; readonly hasMore: boolean }> {
  const rows = await listProjectsWithUsage(app.db, scope, {
    period: periodOf(app.clock.now()),
    limit: perPage + 1,
    offset: (page - 1) * perPage,
  });
  return { projects: rows.slice(0, perPage), hasMore: rows.length > perPage };
}
