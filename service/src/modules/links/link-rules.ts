import type { Project } from "../projects/queries.ts";
import type { Link } from "./queries.ts";

/**
 * Returns true if the project can be linked to a provider. An active project can be linked. A project whose deletion
 * failed can be linked only if it still has services from the provider: the old link may have caused the failure, and
 * with a new link the deletion can finish.
 */
export function isLinkable(project: Pick<Project, "status"> | undefined, linksInUse: readonly Link[]): boolean {
  if (project?.status === "delete_failed") return linksInUse.length > 0;
  return project?.status === "active";
}

type Account = Pick<Link, "accountId" | "accountLabel">;

/**
 * Returns true if two links belong to the same provider account. Accounts are compared by ID, or by label if the
 * provider has no account IDs.
 */
export function isSameAccount(one: Account, other: Account): boolean {
  if (one.accountId !== other.accountId) return false;
  return one.accountId !== null || one.accountLabel === other.accountLabel;
}
