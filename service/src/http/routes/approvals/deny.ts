import type { App } from "../../../app.ts";
import { replyToMoneyRequest } from "../../money-request.ts";
import type { Server } from "../../route.ts";
import { decide, decisionConfig, decisionReply, decisionSchema } from "./decision.ts";

export function denyRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/approvals/:approval_id/deny",
    config: { ...decisionConfig, sample: { sdk: "approvals.deny(APPROVAL_ID)" } },
    schema: {
      ...decisionSchema,
      operationId: "denyApproval",
      tags: ["Approvals"],
      summary: "Deny a request",
      description:
        "Denies what waits for this approval, which then ends. Needs a dashboard session, or a key with the scope `approvals:write` that is not bound to agents. Fails with 409 `conflict` if the approval is no longer pending.",
    },
    handler: async (request, reply) =>
      replyToMoneyRequest(app, request, reply, decisionReply(app), (claim) =>
        decide(app, request, {
          claim,
          approvalId: request.params.approval_id,
          decision: "denied",
          note: request.body.note,
        }),
      ),
  });
}
