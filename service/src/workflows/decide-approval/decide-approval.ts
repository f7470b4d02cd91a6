import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { redactedMessage } from "../../foundation/redact.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { type MoneyAnswer, type MoneyClaim, runClaimedRequest } from "../../idempotency/money/run-money-request.ts";
import {
  type Decision,
  decideApproval as decideInTransaction,
  expireApproval,
} from "../../modules/approvals/approvals.ts";
import { type Approval, expiredApprovals } from "../../modules/approvals/queries.ts";
import { releaseExpiredHolds } from "../../modules/payments/end-waiting-payments.ts";
import { type ApprovalSubjects, approvalSubjects, type SubjectState } from "./approval-subjects.ts";

export interface DecideApproval extends Decision {
  readonly claim: MoneyClaim<DecidedApproval>;
}

/** An approval after its decision. */
export interface DecidedApproval extends Approval {
  /** What has happened to the subject. */
  readonly outcome: Pick<SubjectState, "status" | "failure"> | undefined;
}

/**
 * Approves or denies a pending approval, together with its effect on the subject, in one transaction that also claims
 * the request's Idempotency-Key and signature. Throws `approval_not_found`, or `conflict` if the approval is no longer
 * pending.
 */
export async function decideApproval(
  app: App,
  actor: Actor,
  { claim, ...decision }: DecideApproval,
  subjects: ApprovalSubjects = approvalSubjects,
): Promise<MoneyAnswer> {
  if (decision.decision === "approved") await releaseExpiredHolds(app, actor);
  let decided: DecidedApproval | undefined;
  const answer = await runClaimedRequest(app, claim, async (tx) => {
    decided = await decide(tx, app, actor, decision, subjects);
    return decided;
  });
  if (decided !== undefined && !answer.isReplayed) await finishDecision(app, decided, subjects);
  return answer;
}

/** Like `decideApproval`, for the page of an emailed URL. */
export async function decideEmailedApproval(
  app: App,
  actor: Actor,
  decision: Decision,
  subjects: ApprovalSubjects = approvalSubjects,
): Promise<DecidedApproval> {
  if (decision.decision === "approved") await releaseExpiredHolds(app, actor);
  const approval = await withTransaction(app.db, actor.tenantId, (tx) => decide(tx, app, actor, decision, subjects));
  await finishDecision(app, approval, subjects);
  return approval;
}

async function decide(
  tx: Tx,
  app: App,
  actor: Actor,
  decision: Decision,
  subjects: ApprovalSubjects,
): Promise<DecidedApproval> {
  const approval = await decideInTransaction(tx, app, actor, decision);
  const subject = subjects.get(approval.subjectType);
  if (subject === undefined) return { ...approval, outcome: undefined };
  await subject.decided(tx, app, actor, approval);
  const { status, failure } = await subject.read(tx, approval);
  return { ...approval, outcome: { status, failure } };
}

/** Stores the expiry of pending approvals, together with its effect on their subjects, in one transaction each. */
export async function expireApprovals(app: App, subjects: ApprovalSubjects = approvalSubjects): Promise<void> {
  await tryEach(expiredApprovals(app.db, app.clock), async (key) => {
    const expired = await withTransaction(app.db, key.tenantId, async (tx): Promise<Approval | undefined> => {
      const approval = await expireApproval(tx, app, key, app.clock.now());
      if (approval === undefined) return undefined;
      const subject = subjects.get(approval.subjectType);
      await subject?.decided(tx, app, systemActor(approval), approval);
      return approval;
    });
    if (expired !== undefined) await finishDecision(app, expired, subjects);
  });
}

/** Does what follows a committed decision. Its failure changes nothing about the decision, so it is only logged. */
async function finishDecision(app: App, approval: Approval, subjects: ApprovalSubjects): Promise<void> {
  const { approvalId, subjectType } = approval;
  app.waitingCallers.wake(approvalId);
  try {
    await subjects.get(subjectType)?.afterCommit?.(app, approval);
  } catch (error) {
    const message = redactedMessage(error);
    app.log.error({ approvalId, message }, "the work after a decision could not be started");
  }
}
