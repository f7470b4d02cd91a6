import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { itemsInTurns } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { type Approval, type DueApproval, expireApproval, listDueApprovals } from "../../modules/approvals/index.ts";
import type { ApprovalSubjects } from "./approval-subject.ts";
import { approvalSubjects } from "./approval-subjects.ts";
import { finishDecision } from "./finish-decision.ts";

const APPROVALS_MAX = 500;

/** Stores the expiry of pending approvals, together with its effect on their subjects, in one transaction each. */
export async function expireApprovals(app: App, subjects: ApprovalSubjects = approvalSubjects): Promise<void> {
  const due = itemsInTurns<DueApproval>(
    (after) => listDueApprovals(app.db, { at: app.clock.now(), after, limit: APPROVALS_MAX }),
    ({ approvalId }) => approvalId,
  );
  await tryEach(due, async (key) => {
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
