import type { OperationId } from "../../foundation/ids.ts";
import type { Approval } from "../../modules/approvals/index.ts";
import { getOperationById } from "../../operations/queries.ts";
import { resumeOperation } from "../../operations/resume-operation.ts";
import { runOperation } from "../../operations/run-operation.ts";
import type { ApprovalSubject } from "./approval-subject.ts";

/** The operation that waits starts again, and reads the decision. It then continues or fails. */
export const operationApproval: ApprovalSubject = {
  decided: async (tx, app, _actor, approval) => {
    const { type, subjectId } = await getOperationById(tx, keyOf(approval));
    await resumeOperation(tx, app, { tenantId: approval.tenantId, type, subjectId });
  },
  afterCommit: async (app, approval) => {
    const key = keyOf(approval);
    const { type } = await getOperationById(app.db, key);
    await runOperation(app, type, key, 0);
  },
};

function keyOf({ tenantId, subjectId }: Approval) {
  return { tenantId, operationId: subjectId as OperationId };
}
