import type { Project } from "../queries.ts";
import type { Link } from "./queries.ts";

/**
 * Returns true if the project can be linked to a provider. Besides active projects, this includes projects whose
 * deletion failed, if they still have services from the provider: the old link may have caused the failure, and a
 * new link lets the deletion finish.
 */
export function isLinkable(
  project: Pick<Project, "status"> | undefined,
  linksInUse: readonly Link[],
): boolean {
  if (project?.status === "delete_failed") return linksInUse.length > 0;
  return project?.status === "active";
}
