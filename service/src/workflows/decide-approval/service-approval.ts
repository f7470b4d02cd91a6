import { invariant } from "../../foundation/invariant.ts";
import { ADD_SERVICE } from "../../modules/projects/index.ts";
import { findOpenOperation, listOperationsOf } from "../../operations/queries.ts";
import { resumeOperation } from "../../operations/resume-operation.ts";
import { runOperation } from "../../operations/run-operation.ts";
import type { ApprovalSubject } from "./approval-subject.ts";
import { readOperation } from "./operation-approval.ts";

/** The service that waits starts again, and reads the decision. It then continues or fails. */
export const serviceApproval: ApprovalSubject = {
  decided: async (tx, app, _actor, { tenantId, subjectId }) => {
    await resumeOperation(tx, app, { tenantId, type: ADD_SERVICE, subjectId });
  },
  read: async (db, { tenantId, subjectId }) => {
    const [operationId] = await listOperationsOf(db, { tenantId, type: ADD_SERVICE, subjectId }, 1);
    invariant(operationId !== undefined, "a service that waits has an operation");
    return readOperation(db, { tenantId, operationId });
  },
  afterCommit: async (app, { tenantId, subjectId }) => {
    const operationId = await findOpenOperation(app.db, {
      ...{ tenantId, type: ADD_SERVICE, subjectId },
    });
    if (operationId === undefined) return;
    await runOperation(app, ADD_SERVICE, { tenantId, operationId }, 0);
  },
};
