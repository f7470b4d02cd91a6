import { type Route, withTag } from "../../route.ts";
import { decideApprovalRoutes } from "./decide-approval.ts";
import { getApprovalRoute } from "./get-approval.ts";
import { listApprovalsRoute } from "./list-approvals.ts";

export const approvalRoutes: readonly Route[] = withTag("Approvals", [
  listApprovalsRoute,
  getApprovalRoute,
  ...decideApprovalRoutes,
]);
