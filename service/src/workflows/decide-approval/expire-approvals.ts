import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { type Approval, expireApproval, expiredApprovals } from "../../modules/approvals/index.ts";
import type { ApprovalSubjects } from "./approval-subject.ts";
import { approvalSubjects } from "./approval-subjects.ts";
import { finishDecision } from "./finish-decision.ts";

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
