import type { Project } from "../queries.ts";
import type { Link } from "./queries.ts";

/**
 * Whether a project may be linked: while it is active, and where its deletion failed at a provider that has services of it
 * still. The link may be what was in the way, and without another one the deletion would never end.
 */
export function isLinkable(
  project: Pick<Project, "status"> | undefined,
  linksInUse: readonly Link[],
): boolean {
  if (project?.status === "delete_failed") return linksInUse.length > 0;
  return project?.status === "active";
}
