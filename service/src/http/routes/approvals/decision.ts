import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { DISPLAY_TEXT } from "../../../foundation/wire/fields.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import type { MoneyClaim } from "../../../idempotency/money/run-money-request.ts";
import { ApprovalResource, type Decision, presentApproval } from "../../../modules/approvals/index.ts";
import { type DecidedApproval, decideApproval } from "../../../workflows/index.ts";
import { actorOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { principalOf } from "../../route.ts";

/** The credential that `approve` and `deny` require. Keys that are bound to agents are refused. */
export const decisionConfig = {
  auth: "tenant",
  scope: "approvals:write",
  projectBound: "refused",
  movesMoney: true,
} as const;

export const decisionSchema = {
  params: Type.Object({ approval_id: Type.String() }),
  body: Type.Object(
    {
      note: Type.Optional(
        Type.String({
          ...DISPLAY_TEXT,
          maxLength: 500,
          description: "A note that is stored with the decision.",
        }),
      ),
    },
    { additionalProperties: false, $id: "DecideApprovalRequest" },
  ),
  response: { 200: ApprovalResource, 404: Problem, 409: Problem, ...credentialErrors },
} as const;

/** Returns how a decided approval is sent. */
export const decisionReply = (app: App) => ({
  status: 200 as const,
  present: ({ outcome, ...approval }: DecidedApproval) => ({
    ...presentApproval(app, approval, app.clock.now()),
    ...(outcome !== undefined && { outcome }),
  }),
});

/** Approves or denies the approval in the path. */
export function decide(
  app: App,
  request: FastifyRequest,
  {
    approvalId,
    ...decision
  }: {
    readonly claim: MoneyClaim<DecidedApproval>;
    /** As in the path. */
    readonly approvalId: string;
    readonly decision: Decision["decision"];
    readonly note: string | undefined;
  },
) {
  const principal = principalOf(request);
  return decideApproval(app, actorOf(request, principal), {
    ...decision,
    approvalId: pathId("apr", approvalId),
    via: principal.kind === "session" ? "dashboard" : "api",
  });
}
