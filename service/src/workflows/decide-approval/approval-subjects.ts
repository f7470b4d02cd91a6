import type { ApprovalSubjects } from "./approval-subject.ts";
import { operationApproval } from "./operation-approval.ts";
import { paymentApproval } from "./payment-approval.ts";
import { serviceApproval } from "./service-approval.ts";

/** What can wait for an approval, by the type of its subject. */
export const approvalSubjects: ApprovalSubjects = new Map([
  ["operation", operationApproval],
  ["payment", paymentApproval],
  ["service", serviceApproval],
]);
