import type { App } from "../../app.ts";
import { type Approval, type ApprovalFilter, type ApprovalScope, listApprovalRows } from "./queries.ts";

export interface ListApprovals extends Omit<ApprovalFilter, "at"> {
  readonly scope: ApprovalScope;
  /** The last approval on the previous page, or undefined for the first page. */
  readonly afterApprovalId: string | undefined;
  readonly limit: number;
}

/** Returns one page of the approvals in scope, newest first. */
export async function listApprovals(
  { db, clock }: Pick<App, "db" | "clock">,
  { scope, limit, ...filter }: ListApprovals,
): Promise<{ readonly items: readonly Approval[]; readonly hasMore: boolean }> {
  const at = clock.now();
  const rows = await listApprovalRows(db, scope, { ...filter, at, limit: limit + 1 });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
