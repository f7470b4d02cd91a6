import type { App } from "../../app.ts";
import { redactedMessage } from "../../foundation/redact.ts";
import type { Approval } from "../../modules/approvals/index.ts";
import type { ApprovalSubjects } from "./approval-subject.ts";

/** Does what follows a committed decision. Its failure changes nothing about the decision, so it is only logged. */
export async function finishDecision(app: App, approval: Approval, subjects: ApprovalSubjects): Promise<void> {
  const { approvalId, subjectType } = approval;
  app.waitingCallers.wake(approvalId);
  try {
    await subjects.get(subjectType)?.afterCommit?.(app, approval);
  } catch (error) {
    const message = redactedMessage(error);
    app.log.error({ approvalId, message }, "the work after a decision could not be started");
  }
}
