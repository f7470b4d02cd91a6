import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { OperationId, PaymentId, ProjectId, WalletId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { cancelApprovalsOf } from "../../modules/approvals/approvals.ts";
import { type Approval, listApprovalsOf, type WaitingFor } from "../../modules/approvals/queries.ts";
import { forgetPaymentBalances } from "../../modules/payments/change-payment.ts";
import { paymentRows } from "../../modules/payments/queries.ts";
import { getPayment } from "../../modules/payments/read-payments.ts";
import { decideWaitingPayment } from "../../modules/payments/send/decide-waiting-payment.ts";
import { type PaymentChange, settlePayment } from "../../modules/payments/settle-payment.ts";
import { ADD_SERVICE } from "../../modules/services/services.ts";
import { listOperationsOf, type OperationRow, operationRows } from "../../operations/queries.ts";
import { resumeOperation } from "../../operations/resume-operation.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";

/** An object that waits or waited for an approval. */
export interface SubjectState {
  readonly status: string;
  /** Why it was not carried out. */
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly projectId: ProjectId | null;
  /** The wallet that pays. */
  readonly walletId?: WalletId;
}

/** What happens to an object that waited for an approval. */
export interface ApprovalSubject {
  /** Runs in the transaction of the decision. `approval.status` is `approved`, `denied` or `expired`. */
  decided(tx: Tx, app: App, actor: Actor, approval: Approval): Promise<void>;
  read(db: Db, approval: Approval): Promise<SubjectState>;
  /**
   * Runs after the commit, to start work without delay. A job must do the same, because a process can stop before this
   * call.
   */
  afterCommit?(app: App, approval: Approval): Promise<void>;
}

export type ApprovalSubjects = ReadonlyMap<string, ApprovalSubject>;

/** The operation that waits starts again, and reads the decision. It then continues or fails. */
function sagaApproval(find: (db: Db, approval: Approval) => Promise<OperationRow>): ApprovalSubject {
  return {
    decided: async (tx, app, _actor, approval) => {
      const { tenantId, type, subjectId } = await find(tx, approval);
      await resumeOperation(tx, app, { tenantId, type, subjectId });
    },
    read: async (db, approval) => {
      const { status, error, projectId } = await find(db, approval);
      const failure = error && { code: error.code, detail: error.detail };
      return { status, failure, projectId };
    },
    afterCommit: async (app, approval) => {
      const { tenantId, operationId, type, status } = await find(app.db, approval);
      const isOpen = status === "running" || status === "requires_approval";
      if (isOpen) await runOperation(app, type, { tenantId, operationId }, 0);
    },
  };
}

const operationApproval = sagaApproval((db, { tenantId, subjectId }) =>
  operationRows.get(db, { tenantId, operationId: subjectId as OperationId }),
);

const serviceApproval = sagaApproval(async (db, { tenantId, subjectId }) => {
  const [operationId] = await listOperationsOf(db, { tenantId, type: ADD_SERVICE, subjectId }, 1);
  invariant(operationId !== undefined, "a service that waits has an operation");
  return operationRows.get(db, { tenantId, operationId });
});

/** How a payment ends whose approval ends without approving it. */
const ENDS: Partial<Record<Approval["status"], Omit<PaymentChange, "at">>> = {
  denied: {
    to: "denied",
    failure: { code: "approval_denied", detail: "A person denied the payment." },
  },
  expired: { to: "expired" },
  canceled: {
    to: "canceled",
    failure: { code: "approval_canceled", detail: "The approval of the payment was canceled." },
  },
};

/** An approved payment is decided anew, and made in the same transaction. */
const paymentApproval: ApprovalSubject = {
  decided: async (tx, app, actor, approval) => {
    const { tenantId, subjectId, approvalId, status } = approval;
    const payment = await paymentRows.lock(tx, { tenantId, paymentId: subjectId as PaymentId });
    // The payment may have been canceled, or may wait for a later approval.
    if (payment?.status !== "requires_approval" || payment.approvalId !== approvalId) return;
    if (status === "approved") {
      // A payment can wait for several approvals, one after another.
      const approvals = await listApprovalsOf(tx, {
        tenantId,
        subject: { type: "payment", id: subjectId },
      });
      const approved = approvals.filter(({ status }) => status === "approved");
      const rules = approved.flatMap((each) => each.rules);
      await decideWaitingPayment(tx, app, actor, { payment, approved: rules });
      return;
    }
    const end = ENDS[status];
    if (end === undefined) return;
    await settlePayment(tx, app, actor, payment, { ...end, at: app.clock.now() });
  },
  read: async (db, { tenantId, mode, subjectId }) => {
    const key = subjectId as PaymentId;
    const payment = await getPayment({ db }, { tenantId, mode, agentIds: [] }, key);
    const { status, failure, projectId, walletId } = payment;
    return { status, failure, projectId, walletId };
  },
  afterCommit: async (app, { tenantId, mode, subjectId }) => {
    const scope = { tenantId, mode, agentIds: [] };
    await forgetPaymentBalances(app, await getPayment(app, scope, subjectId as PaymentId));
  },
};

/** What can wait for an approval, by the type of its subject. */
export const approvalSubjects: ApprovalSubjects = new Map([
  ["operation", operationApproval],
  ["payment", paymentApproval],
  ["service", serviceApproval],
]);

/**
 * Cancels pending approvals in the mode of the actor, and ends what waits for them. A job continues it after the commit.
 * Returns their number.
 */
export async function cancelApprovals(tx: Tx, app: App, actor: Actor, waiting: WaitingFor): Promise<number> {
  const canceled = await cancelApprovalsOf(tx, app, actor, waiting);
  for (const approval of canceled) {
    await approvalSubjects.get(approval.subjectType)?.decided(tx, app, actor, approval);
  }
  return canceled.length;
}
