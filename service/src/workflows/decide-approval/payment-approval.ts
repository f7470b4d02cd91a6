import type { PaymentId } from "../../foundation/ids.ts";
import { type Approval, listApprovalsOf } from "../../modules/approvals/index.ts";
import { getPayment, lockPayment } from "../../modules/payments/index.ts";
import { type PaymentEnd, releasePayment } from "../change-payment/release-payment.ts";
import { decideWaitingPayment } from "../send-payment/decide-waiting-payment.ts";
import { forgetPaymentBalances } from "../send-payment/forget-payment-balances.ts";
import type { ApprovalSubject } from "./approval-subject.ts";

/** How a payment ends whose approval ends without approving it. */
const ENDS: Partial<Record<Approval["status"], Omit<PaymentEnd, "at">>> = {
  denied: {
    status: "denied",
    failure: { code: "approval_denied", detail: "A person denied the payment." },
  },
  expired: { status: "expired", failure: null },
  canceled: {
    status: "canceled",
    failure: { code: "approval_canceled", detail: "The approval of the payment was canceled." },
  },
};

/** An approved payment is decided anew, and made in the same transaction. */
export const paymentApproval: ApprovalSubject = {
  decided: async (tx, app, actor, approval) => {
    const { tenantId, subjectId, approvalId, status } = approval;
    const payment = await lockPayment(tx, { tenantId, paymentId: subjectId as PaymentId });
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
    await releasePayment(tx, app, actor, payment, { ...end, at: app.clock.now() });
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
