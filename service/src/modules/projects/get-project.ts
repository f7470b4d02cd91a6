import type { App } from "../../app.ts";
import {
  findProjectOverview,
  getProjectOverview,
  type ProjectKey,
  type ProjectOverview,
} from "./queries.ts";

/** Returns the project with its usage in the current month. Throws `project_not_found`. */
export async function getProject(
  app: Pick<App, "db" | "clock">,
  key: ProjectKey,
): Promise<ProjectOverview> {
  return getProjectOverview(app.db, key, app.clock.now());
}

/** Like `getProject`. Returns undefined for a project that does not exist. */
export async function findProject(
  app: Pick<App, "db" | "clock">,
  key: ProjectKey,
): Promise<ProjectOverview | undefined> {
  return findProjectOverview(app.db, key, app.clock.now());
}
