import { type Route, withTag } from "../../route.ts";
import { decideApprovalRoutes } from "./decide-approval.ts";
import { getApprovalRoute, listApprovalsRoute } from "./read-approvals.ts";

export const approvalRoutes: readonly Route[] = withTag("Approvals", [
  listApprovalsRoute,
  getApprovalRoute,
  ...decideApprovalRoutes,
]);
