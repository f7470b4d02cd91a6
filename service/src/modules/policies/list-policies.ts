import type { App } from "../../app.ts";
import type { PolicyId } from "../../foundation/ids.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import { listPolicyRows, type Policy } from "./queries.ts";

export interface ListPolicies {
  readonly scope: TenantScope;
  /** The last policy on the previous page, or undefined for the first page. */
  readonly afterPolicyId: PolicyId | undefined;
  readonly limit: number;
}

/** Returns one page of the policies in scope, newest first. */
export async function listPolicies(
  app: Pick<App, "db">,
  { scope, afterPolicyId, limit }: ListPolicies,
): Promise<{ readonly items: readonly Policy[]; readonly hasMore: boolean }> {
  const rows = await listPolicyRows(app.db, scope, { afterPolicyId, limit: limit + 1 });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
