import type { Project } from "../queries.ts";
import type { Link } from "./queries.ts";

/**
 * Returns true if the project can be linked to a provider. The project must be active, or its deletion must have failed
 * while it still has services from the provider. In the second case, the old link may have caused the failure, and a
 * new link lets the deletion finish.
 */
export function isLinkable(
  project: Pick<Project, "status"> | undefined,
  linksInUse: readonly Link[],
): boolean {
  if (project?.status === "delete_failed") return linksInUse.length > 0;
  return project?.status === "active";
}
