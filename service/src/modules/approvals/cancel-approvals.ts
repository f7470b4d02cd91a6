import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { type Approval, lockPendingApprovals, updateApproval, type WaitingFor } from "./queries.ts";
import { recordApprovalChange } from "./record-approval-change.ts";

/**
 * Cancels the pending approvals of a subject or of an agent, in the mode of the actor. Returns them. The caller ends
 * what waited for them. An approval that has expired stays expired.
 */
export async function cancelApprovalsOf(
  tx: Tx,
  app: Pick<App, "clock" | "settings">,
  actor: Actor,
  waiting: WaitingFor,
): Promise<readonly Approval[]> {
  const at = app.clock.now();
  const canceled: Approval[] = [];
  for (const pending of await lockPendingApprovals(tx, actor, { waiting, at })) {
    const changes = { status: "canceled", decidedAt: at, updatedAt: at } as const;
    const approval = await updateApproval(tx, pending, changes);
    await recordApprovalChange(tx, app, actor, approval, at);
    canceled.push(approval);
  }
  return canceled;
}
