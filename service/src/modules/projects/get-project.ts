import type { App } from "../../app.ts";
import { getProjectOverview, type ProjectKey, type ProjectOverview } from "./queries.ts";

/** The project as it stands now, or `project_not_found`. */
export async function getProject(
  app: Pick<App, "db" | "clock">,
  key: ProjectKey,
): Promise<ProjectOverview> {
  return getProjectOverview(app.db, key, app.clock.now());
}
