import type { App } from "../../app.ts";
import { getProjectOverview, type ProjectKey, type ProjectOverview } from "./queries.ts";

/** Returns the project with its usage in the current month. Throws `project_not_found`. */
export async function getProject(app: Pick<App, "db" | "clock">, key: ProjectKey): Promise<ProjectOverview> {
  return getProjectOverview(app.db, key, app.clock.now());
}
