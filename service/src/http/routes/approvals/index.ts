import type { Route } from "../../route.ts";
import { approveRoute } from "./approve.ts";
import { denyRoute } from "./deny.ts";
import { getApprovalRoute } from "./get-approval.ts";
import { listApprovalsRoute } from "./list-approvals.ts";

export const approvalRoutes: readonly Route[] = [listApprovalsRoute, getApprovalRoute, approveRoute, denyRoute];
