import type { Db } from "../../db/database.ts";
import type { OperationId } from "../../foundation/ids.ts";
import type { Approval } from "../../modules/approvals/index.ts";
import { getOperationById, type OperationKey } from "../../operations/queries.ts";
import { resumeOperation } from "../../operations/resume-operation.ts";
import { runOperation } from "../../operations/run-operation.ts";
import type { ApprovalSubject, SubjectState } from "./approval-subject.ts";

/** The operation that waits starts again, and reads the decision. It then continues or fails. */
export const operationApproval: ApprovalSubject = {
  decided: async (tx, app, _actor, approval) => {
    const { type, subjectId } = await getOperationById(tx, keyOf(approval));
    await resumeOperation(tx, app, { tenantId: approval.tenantId, type, subjectId });
  },
  read: (db, approval) => readOperation(db, keyOf(approval)),
  afterCommit: async (app, approval) => {
    const key = keyOf(approval);
    const { type } = await getOperationById(app.db, key);
    await runOperation(app, type, key, 0);
  },
};

/** Returns the state of an operation that waits or waited for an approval. */
export async function readOperation(db: Db, key: OperationKey): Promise<SubjectState> {
  const { status, error, projectId } = await getOperationById(db, key);
  const failure = error && { code: error.code, detail: error.detail };
  return { status, failure, projectId };
}

function keyOf({ tenantId, subjectId }: Approval) {
  return { tenantId, operationId: subjectId as OperationId };
}
