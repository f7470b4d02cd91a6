import type { Link } from "./queries.ts";

type Account = Pick<Link, "accountId" | "accountLabel">;

/**
 * Whether two links belong to the same account: by its id at the provider, or by its label if the provider has no ids.
 */
export function isSameAccount(one: Account, other: Account): boolean {
  if (one.accountId !== other.accountId) return false;
  return one.accountId !== null || one.accountLabel === other.accountLabel;
}
