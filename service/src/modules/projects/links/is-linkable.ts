import type { Project } from "../queries.ts";
import type { Link } from "./queries.ts";

/**
 * Whether a project can be linked to a provider: if it is active, or if its deletion failed and the provider has
 * services of it. The old link can be the reason of the failure; then only a new link lets the deletion finish.
 */
export function isLinkable(
  project: Pick<Project, "status"> | undefined,
  linksInUse: readonly Link[],
): boolean {
  if (project?.status === "delete_failed") return linksInUse.length > 0;
  return project?.status === "active";
}
