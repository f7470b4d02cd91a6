import { type Static, Type } from "typebox";
import { APPROVAL_STATUSES } from "../../../foundation/vocabulary.ts";
import { Count, DISPLAY_TEXT, OneOf, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { ApprovalResource, presentApproval } from "../../../modules/approvals/approval-resource.ts";
import { waitForDecision } from "../../../modules/approvals/get-approval.ts";
import { listApprovals } from "../../../modules/approvals/queries.ts";
import {
  type DecidedApproval,
  decideApproval,
  readOutcome,
} from "../../../workflows/decide-approval/decide-approval.ts";
import { actorOf, principalOf, scopeOf } from "../../auth/principal.ts";
import { cursorPage, cursorQuery, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { agentFilter } from "../agents/agent-fields.ts";

const WaitQuery = Type.Object(
  {
    wait_seconds: Type.Optional(
      Count(
        "How long to wait for the decision. The response comes as soon as the approval is no longer pending. Default: 0.",
        { minimum: 0, maximum: 30 },
      ),
    ),
  },
  { additionalProperties: false },
);

const getApprovalRoute = endpoint("GET /api/v1/svc/approvals/:approval_id", {
  operationId: "getApproval",
  sdk: "approvals.get",
  summary: "Get an approval",
  description:
    "Returns an approval, with its `outcome` when it is no longer pending. With `wait_seconds`, a pending approval is returned as soon as it is decided, or unchanged after this time. At most 100 requests of an account can wait at the same time; others fail with 429 `rate_limited`.",
  auth: "tenant",
  scope: "approvals:read",
  agentBound: "allowed",
  query: WaitQuery,
  answers: { 200: ApprovalResource },
  errors: ["rate_limited"],
  run: async (app, request, reply) => {
    const disconnected = new AbortController();
    reply.raw.once("close", () => disconnected.abort());
    const approval = await waitForDecision(app, {
      scope: scopeOf(request),
      approvalId: pathId("apr", request.params.approval_id),
      waitMs: (request.query.wait_seconds ?? 0) * 1_000,
      left: disconnected.signal,
    });
    const presented = presentApproval(app, approval, app.clock.now());
    return presented.status === "pending" ? presented : withOutcome(presented, await readOutcome(app, approval));
  },
});

function withOutcome(presented: Static<typeof ApprovalResource>, outcome: DecidedApproval["outcome"]) {
  return { ...presented, ...(outcome && { outcome: { status: outcome.status, failure: outcome.failure } }) };
}

const ApprovalsQuery = cursorQuery({
  status: Type.Optional(OneOf(APPROVAL_STATUSES, "Returns only approvals that have this status now.")),
  agent_id: agentFilter("Returns only approvals of what this agent requested."),
});

const listApprovalsRoute = endpoint("GET /api/v1/svc/approvals", {
  operationId: "listApprovals",
  sdk: "approvals.list",
  summary: "List approvals",
  description:
    "Returns approvals, newest first. A key that is bound to agents gets the approvals of what these agents requested.",
  auth: "tenant",
  scope: "approvals:read",
  agentBound: "allowed",
  query: ApprovalsQuery,
  answers: { 200: cursorPage(ApprovalResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, status, agent_id } = request.query;
    const now = app.clock.now();
    const page = await listApprovals(app.db, scopeOf(request), {
      status,
      agentId: agent_id?.toLowerCase(),
      at: now,
      after: decodeIdCursor(cursor, "apr"),
      limit,
    });
    return presentPage(page, (approval) => presentApproval(app, approval, now), "approvalId");
  },
});

const DecideApprovalRequest = StrictObject("DecideApprovalRequest", {
  note: Type.Optional(Text("A note that is stored with the decision.", { ...DISPLAY_TEXT, maxLength: 500 })),
});

const DECISIONS = [
  {
    verb: "approve",
    decision: "approved",
    summary: "Approve a request",
    description:
      "Approves what waits for this approval, which then continues. It is checked again, so it can still be refused: then its own status says why. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents. Fails with 409 `conflict` if the approval is no longer pending.",
  },
  {
    verb: "deny",
    decision: "denied",
    summary: "Deny a request",
    description:
      "Denies what waits for this approval, which then ends. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents. Fails with 409 `conflict` if the approval is no longer pending.",
  },
] as const;

/** The routes that approve and deny. */
const decideApprovalRoutes: readonly Route[] = DECISIONS.map(({ verb, decision, summary, description }) =>
  endpoint(`POST /api/v1/svc/approvals/:approval_id/${verb}`, {
    operationId: `${verb}Approval`,
    sdk: `approvals.${verb}`,
    summary,
    description,
    auth: "tenant",
    scope: "approvals:write",
    movesMoney: true,
    body: DecideApprovalRequest,
    answers: { 200: ApprovalResource },
    run: async (app, request, reply) => {
      const present = ({ outcome, ...approval }: DecidedApproval) =>
        withOutcome(presentApproval(app, approval, app.clock.now()), outcome);
      return replyToMoneyRequest(app, request, reply, { status: 200, present }, (claim) => {
        const principal = principalOf(request);
        return decideApproval(app, actorOf(request), {
          claim,
          approvalId: pathId("apr", request.params.approval_id),
          decision,
          note: request.body.note,
          via: principal.kind === "session" ? "dashboard" : "api",
        });
      });
    },
  }),
);

export const approvalRoutes: readonly Route[] = [listApprovalsRoute, getApprovalRoute, ...decideApprovalRoutes];
