import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { ApprovalVote } from "../../db/schema.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ApprovalId } from "../../foundation/ids.ts";
import { statusAt } from "./approval-resource.ts";
import { approvalNotFound } from "./get-approval.ts";
import { type Approval, type ApprovalKey, approvalRows, lockPendingApprovals, type WaitingFor } from "./queries.ts";
import { recordApprovalChange } from "./record-approval-change.ts";

export interface Decision extends Pick<ApprovalVote, "decision" | "via"> {
  readonly approvalId: ApprovalId;
  readonly note?: string | undefined;
}

/**
 * Approves or denies a pending approval. The caller decides what follows from it, in the same transaction. Throws
 * `approval_not_found`, or `conflict` if the approval is no longer pending.
 */
export async function decideApproval(
  tx: Tx,
  app: Pick<App, "clock" | "settings">,
  actor: Actor,
  { approvalId, decision, via, note }: Decision,
): Promise<Approval> {
  const at = app.clock.now();
  const locked = await approvalRows.lock(tx, { tenantId: actor.tenantId, approvalId });
  if (locked === undefined || locked.mode !== actor.mode) throw approvalNotFound(approvalId);
  const status = statusAt(locked, at);
  if (status !== "pending") {
    throw new AppError("conflict", { detail: `The approval is already ${status}.` });
  }
  const { type, id } = actor.actor;
  const vote: ApprovalVote = {
    decision,
    by: { type, id },
    via,
    at: at.toISOString(),
    note: note ?? null,
  };
  const approval = await approvalRows.updateAndGet(tx, locked, {
    status: decision,
    votes: JSON.stringify([...locked.votes, vote]),
    decidedAt: at,
    updatedAt: at,
  });
  await recordApprovalChange(tx, app, actor, approval, at);
  return approval;
}

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
    const approval = await approvalRows.updateAndGet(tx, pending, changes);
    await recordApprovalChange(tx, app, actor, approval, at);
    canceled.push(approval);
  }
  return canceled;
}

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
  const locked = await approvalRows.lock(tx, key);
  if (locked === undefined || locked.status !== "pending" || locked.expiresAt > at) {
    return undefined;
  }
  const approval = await approvalRows.updateAndGet(tx, locked, {
    status: "expired",
    decidedAt: locked.expiresAt,
    updatedAt: locked.expiresAt,
  });
  await recordApprovalChange(tx, app, systemActor(approval), approval, at);
  return approval;
}
