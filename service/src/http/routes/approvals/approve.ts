import type { App } from "../../../app.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import type { Server } from "../../route.ts";
import { decide, decisionConfig, decisionReply, decisionSchema } from "./decision.ts";

export function approveRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/approvals/:approval_id/approve",
    config: { ...decisionConfig, sample: { sdk: "approvals.approve(APPROVAL_ID)" } },
    schema: {
      ...decisionSchema,
      operationId: "approveApproval",
      tags: ["Approvals"],
      summary: "Approve a request",
      description:
        "Approves what waits for this approval, which then continues. It is checked again, so it can still be refused: then its own status says why. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents. Fails with 409 `conflict` if the approval is no longer pending.",
    },
    handler: async (request, reply) =>
      replyToMoneyRequest(app, request, reply, decisionReply(app), (claim) =>
        decide(app, request, {
          claim,
          approvalId: request.params.approval_id,
          decision: "approved",
          note: request.body.note,
        }),
      ),
  });
}
