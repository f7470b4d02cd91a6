import type { App } from "../../app.ts";
import { AppError } from "../../foundation/errors.ts";
import { statusAt } from "./approval-resource.ts";
import { type GetApproval, getApproval } from "./get-approval.ts";
import { type Approval, type ApprovalKey, listEndedApprovals } from "./queries.ts";

const RETRY_AFTER_SECONDS = 5;

type Access = Pick<App, "db" | "clock" | "waitingCallers">;

export interface WaitForDecision extends GetApproval {
  readonly waitMs: number;
  /** Aborted if the client disconnects. */
  readonly left: AbortSignal;
}

/**
 * Returns the approval as soon as it is no longer pending, and at the latest after `waitMs`. Uses no database connection
 * while it waits. Throws `approval_not_found`, or `rate_limited` if too many callers wait.
 */
export async function waitForDecision(app: Access, { waitMs, left, ...wanted }: WaitForDecision): Promise<Approval> {
  const approval = await getApproval(app, wanted);
  if (waitMs === 0 || statusAt(approval, app.clock.now()) !== "pending") return approval;
  const place = app.waitingCallers.enter(approval, { waitMs, left });
  if (place === undefined) {
    throw new AppError("rate_limited", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      detail: "Too many callers wait for approvals. Repeat the request later, or without wait_seconds.",
    });
  }
  await place;
  return left.aborted ? approval : getApproval(app, wanted);
}

/**
 * Wakes the callers of this process whose approvals are no longer pending. One query covers all of them, so that they
 * also see decisions made by other processes. Returns the number of approvals.
 */
export async function wakeWaitingCallers({ db, clock, waitingCallers }: Access): Promise<number> {
  const waitedFor: readonly ApprovalKey[] = waitingCallers.list();
  if (waitedFor.length === 0) return 0;
  const ended = await listEndedApprovals(db, waitedFor, clock.now());
  for (const approvalId of ended) waitingCallers.wake(approvalId);
  return ended.length;
}
