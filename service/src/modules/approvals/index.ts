export { currentEmailFacts } from "./approval-emails.ts";
export { ApprovalResource, presentApproval, statusAt } from "./approval-resource.ts";
export { cancelApprovalsOf } from "./cancel-approvals.ts";
export { type Decision, decideApproval } from "./decide-approval.ts";
export { expireApproval } from "./expire-approval.ts";
export {
  type EmailedApproval,
  findEmailedApproval,
  findOwnApproval,
  readNewestApproval,
} from "./get-approval.ts";
export { listApprovals } from "./list-approvals.ts";
export { type Approval, expiredApprovals, listApprovalsOf } from "./queries.ts";
export { type ApprovalRequest, requestApproval } from "./request-approval.ts";
export { waitForDecision, wakeWaitingCallers } from "./wait-for-decision.ts";
