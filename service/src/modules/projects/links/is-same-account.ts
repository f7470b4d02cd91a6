import type { Link } from "./queries.ts";

type Account = Pick<Link, "accountId" | "accountLabel">;

/**
 * Returns true if two links belong to the same provider account. Accounts are compared by ID, or by label if the
 * provider has no account IDs.
 */
export function isSameAccount(one: Account, other: Account): boolean {
  if (one.accountId !== other.accountId) return false;
  return one.accountId !== null || one.accountLabel === other.accountLabel;
}
