import { Type } from "typebox";
import { APPROVAL_STATUSES } from "../../../foundation/vocabulary.ts";
import { ApprovalResource, presentApproval } from "../../../modules/approvals/approval-resource.ts";
import { listApprovals } from "../../../modules/approvals/queries.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint, principalOf } from "../../route.ts";

const ApprovalsQuery = Type.Object(
  {
    ...CursorQuery.properties,
    status: Type.Optional(
      Type.Enum([...APPROVAL_STATUSES], {
        description: "Returns only approvals that have this status now.",
      }),
    ),
    agent_id: Type.Optional(
      Type.String({
        format: "uuid",
        maxLength: 36,
        description: "Returns only approvals of what this agent requested.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const listApprovalsRoute = endpoint("GET /api/v1/svc/approvals", {
  config: {
    auth: "tenant",
    scope: "approvals:read",
    agentBound: "allowed",
    sample: { sdk: "each approvals.list()" },
  },
  schema: {
    operationId: "listApprovals",
    summary: "List approvals",
    description:
      "Returns approvals, newest first. A key that is bound to agents gets the approvals of what these agents requested.",
    querystring: ApprovalsQuery,
    response: { 200: cursorPage(ApprovalResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, status, agent_id } = request.query;
    const now = app.clock.now();
    const page = await listApprovals(app.db, scopeOf(principalOf(request)), {
      status,
      agentId: agent_id?.toLowerCase(),
      at: now,
      after: decodeIdCursor(cursor, "apr"),
      limit,
    });
    return presentPage(
      page,
      (approval) => presentApproval(app, approval, now),
      ({ approvalId }) => approvalId,
    );
  },
});
