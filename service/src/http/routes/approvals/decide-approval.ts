import { Type } from "typebox";
import { DISPLAY_TEXT } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { ApprovalResource, presentApproval } from "../../../modules/approvals/approval-resource.ts";
import { type DecidedApproval, decideApproval } from "../../../workflows/decide-approval/decide-approval.ts";
import { actorOf, principalOf } from "../../auth/principal.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";

const DecideApprovalRequest = StrictObject("DecideApprovalRequest", {
  note: Type.Optional(
    Type.String({
      ...DISPLAY_TEXT,
      maxLength: 500,
      description: "A note that is stored with the decision.",
    }),
  ),
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
export const decideApprovalRoutes: readonly Route[] = DECISIONS.map(({ verb, decision, summary, description }) =>
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
      const present = ({ outcome, ...approval }: DecidedApproval) => ({
        ...presentApproval(app, approval, app.clock.now()),
        ...(outcome !== undefined && { outcome }),
      });
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
