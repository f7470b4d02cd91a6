import { Type } from "typebox";
import { PRINTABLE_TEXT, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import type { AgentOverview } from "../../../modules/agents/queries.ts";
import { revokeAgent, suspendOrResumeAgent } from "../../../workflows/agents/agents.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";

const AgentStatusRequest = StrictObject("AgentStatusRequest", {
  reason: Type.Optional(
    Text("Why the status changes, for the audit trail. Up to 500 characters.", { maxLength: 500, ...PRINTABLE_TEXT }),
  ),
});

const CHANGES = [
  {
    verb: "suspend",
    replayGuard: "strict",
    summary: "Suspend an agent",
    description:
      "Suspends an active agent until it is resumed. Neither the agent nor its descendants can act, and no money leaves their accounts. Does nothing if the agent is already suspended. Fails with `conflict` if it is revoked or expired.",
  },
  {
    verb: "resume",
    replayGuard: "always",
    summary: "Resume an agent",
    description:
      "Makes a suspended agent active again. Descendants that are suspended themselves remain suspended. Does nothing if the agent is active. Fails with `conflict` if it is revoked or expired.",
  },
  {
    verb: "revoke",
    replayGuard: "strict",
    summary: "Revoke an agent",
    description:
      "Revokes the agent for ever. API keys that are bound only to revoked agents are revoked too, and its wallets are frozen. Its children remain, but cannot act. If the agent is already revoked, only wallets that were unfrozen since are frozen again.",
  },
] as const;

/** The routes that suspend, resume and revoke an agent. */
export const agentStatusRoutes: readonly Route[] = CHANGES.map(({ verb, replayGuard, summary, description }) =>
  endpoint(`POST /api/v1/svc/agents/:agent_id/${verb}`, {
    operationId: `${verb}Agent`,
    sdk: `agents.${verb}`,
    summary,
    description,
    auth: "tenant",
    scope: "agents:write",
    replayGuard,
    body: AgentStatusRequest,
    answers: { 200: AgentResource },
    run: async (app, request, reply) => {
      const actor = actorOf(request);
      const { reason = null } = request.body;
      const present = (agent: AgentOverview) => presentAgent(agent, app.clock.now());
      return replyOnce(app, request, reply, { status: 200, present }, async (saveResponse) => {
        const key = agentKeyOf(request, request.params.agent_id);
        const command = { actor, key, reason };
        if (verb === "revoke") return revokeAgent(app, command, saveResponse);
        return suspendOrResumeAgent(app, { ...command, transition: verb }, saveResponse);
      });
    },
  }),
);
