import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Tx } from "../../db/database.ts";
import { type Approval, type ApprovalKey, lockApproval, updateApproval } from "./queries.ts";
import { recordApprovalChange } from "./record-approval-change.ts";

/**
 * Sets the status of a pending approval to `expired`, at the time when it expired. Responses show the expiry even before
 * (see `statusAt`). Returns undefined if the approval was decided in the meantime.
 */
export async function expireApproval(
  tx: Tx,
  app: Pick<App, "settings">,
  key: ApprovalKey,
  at: Date,
): Promise<Approval | undefined> {
  const locked = await lockApproval(tx, key);
  if (locked === undefined || locked.status !== "pending" || locked.expiresAt > at) {
    return undefined;
  }
  const approval = await updateApproval(tx, locked, {
    status: "expired",
    decidedAt: locked.expiresAt,
    updatedAt: locked.expiresAt,
  });
  await recordApprovalChange(tx, app, systemActor(approval), approval, at);
  return approval;
}
