import type { App } from "../../app.ts";
import { getProjectWithUsage, type ProjectKey, type ProjectWithUsage } from "./queries.ts";
import { periodOf } from "./usage.ts";

/** The project with its usage of the current month, or `project_not_found`. */
export async function getProject(
  app: Pick<App, "db" | "clock">,
  key: ProjectKey,
): Promise<ProjectWithUsage> {
  return getProjectWithUsage(app.db, key, periodOf(app.clock.now()));
}
