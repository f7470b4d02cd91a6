import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import { newSecretToken } from "../../crypto/secret-token.ts";
import type { Tx } from "../../db/database.ts";
import type { ApprovalRule, ApprovalSummary, ApprovalVote } from "../../db/schema.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { AppError } from "../../foundation/errors.ts";
import { type ApprovalId, newId } from "../../foundation/ids.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { TenantVault } from "../../vault/vault.ts";
import { enqueueApprovalEmail, isEmailedAlone } from "./approval-emails.ts";
import { approvalStatusAt, presentApproval } from "./approval-resource.ts";
import { approvalNotFound } from "./get-approval.ts";
import {
  type Approval,
  type ApprovalKey,
  approvalRows,
  countPendingLocked,
  lockPendingApprovals,
  type WaitingFor,
} from "./queries.ts";

/**
 * Writes the audit entry and the event for a change of an approval. The event's counter is only taken by transactions
 * that have locked or inserted the approval, so other locks can follow.
 */
async function recordApprovalChange(
  tx: Tx,
  app: Pick<App, "settings">,
  actor: Actor,
  approval: Approval,
  occurredAt: Date,
): Promise<void> {
  const { approvalId, status, subjectType, subjectId, agentId, votes } = approval;
  await recordEntryAndEvent(
    tx,
    actor,
    {
      action: `approval.${status === "pending" ? "requested" : status}`,
      subject: { type: "approval", id: approvalId },
      facts: {
        subject_type: subjectType,
        subject_id: subjectId,
        agent_id: agentId,
        via: votes.at(-1)?.via ?? null,
      },
      occurredAt,
    },
    () => presentApproval(app, approval, occurredAt),
  );
}

/** The maximum number of pending approvals of one agent. */
const PENDING_MAX = QUOTAS.pendingApprovals.max;

export interface ApprovalRequest {
  /** What waits for the decision. */
  readonly subject: { readonly type: string; readonly id: string };
  /** In lowercase. Null if the developer asks. */
  readonly agentId: string | null;
  readonly summary: ApprovalSummary;
  /** The rules that ask. */
  readonly rules: readonly ApprovalRule[];
  readonly expiresAt: Date;
}

/**
 * Asks the developer for an approval, and enqueues an email with the URL of the page on which to decide. The queued email
 * contains the URL's token in encrypted form. Apart from that, only the token's hash is stored. Throws `conflict` if the
 * agent already waits for 100 approvals.
 */
export async function requestApproval(
  tx: Tx,
  app: Pick<App, "clock" | "settings"> & { readonly vault: TenantVault },
  actor: Actor,
  { subject, agentId, summary, rules, expiresAt }: ApprovalRequest,
): Promise<Approval> {
  const { tenantId, mode } = actor;
  const at = app.clock.now();
  if ((await countPendingLocked(tx, { tenantId, mode, agentId }, at)) >= PENDING_MAX) {
    throw new AppError("conflict", {
      detail: `${PENDING_MAX} approvals are pending. Decide some of them, or wait until they expire.`,
    });
  }
  const { token, tokenHash } = newSecretToken();
  const approval = await approvalRows.insertAndGet(tx, {
    tenantId,
    approvalId: newId("apr"),
    mode,
    status: "pending",
    subjectType: subject.type,
    subjectId: subject.id,
    agentId,
    summary: JSON.stringify(summary),
    rules: JSON.stringify(rules),
    requestedBy: JSON.stringify(actor.actor),
    approvers: ["role:owner"],
    tokenHash,
    isEmailed: await isEmailedAlone(tx, { tenantId, mode, agentId }, at),
    expiresAt,
    createdAt: at,
    updatedAt: at,
  });
  await enqueueApprovalEmail(tx, app, approval, token);
  await recordApprovalChange(tx, app, actor, approval, at);
  return approval;
}

export interface Decision extends Pick<ApprovalVote, "decision" | "via"> {
  readonly approvalId: ApprovalId;
  readonly note?: string | undefined;
}

/**
 * Approves or denies a pending approval. The caller decides what follows from it, in the same transaction. Throws
 * `approval_not_found`, or `conflict` if the approval is no longer pending.
 */
export async function storeDecision(
  tx: Tx,
  app: Pick<App, "clock" | "settings">,
  actor: Actor,
  { approvalId, decision, via, note }: Decision,
): Promise<Approval> {
  const at = app.clock.now();
  const locked = await approvalRows.lock(tx, { tenantId: actor.tenantId, approvalId });
  if (locked === undefined || locked.mode !== actor.mode) throw approvalNotFound(approvalId);
  const status = approvalStatusAt(locked, at);
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
