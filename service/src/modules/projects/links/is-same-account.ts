import type { Link } from "./queries.ts";

type Account = Pick<Link, "accountId" | "accountLabel">;

/** Whether two links are of one account: by its id at the provider, and where it has none by what people call it. */
export function isSameAccount(one: Account, other: Account): boolean {
  if (one.accountId !== other.accountId) return false;
  return one.accountId !== null || one.accountLabel === other.accountLabel;
}
