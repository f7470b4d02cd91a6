import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { PRINTABLE_TEXT, StrictObject } from "../../../foundation/wire/fields.ts";
import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import type { AgentOverview } from "../../../modules/agents/queries.ts";
import { revokeAgent, suspendOrResumeAgent } from "../../../workflows/agents/agents.ts";
import { actorOf, scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { replyOnce } from "../../idempotency.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";

/** Returns the `agent_id` of a body in lowercase. Throws `validation_error` if `X-Agent-ID` names another agent. */
export function agentIdOf(request: FastifyRequest, bodyAgentId: string): string {
  const agentId = bodyAgentId.toLowerCase();
  const header = singleHeader(request, "x-agent-id").toLowerCase();
  if (header === "" || header === agentId) return agentId;
  throw invalidField("/body/agent_id", "mismatch", "must be equal to the X-Agent-ID header");
}

/** Throws `agent_not_found` if the key is bound to other agents. */
export function requireOwnAgent(request: FastifyRequest, agentId: string): void {
  const { agentIds } = scopeOf(request);
  if (agentIds.length === 0 || agentIds.includes(agentId)) return;
  throw new AppError("agent_not_found", { internal: "the key is bound to other agents" });
}

/**
 * Returns the agent that acts, in lowercase (docs/api.md, section 10): the one in `X-Agent-ID` or the request body, or else
 * the only agent that the key is bound to. Null if the caller acts as the developer. Throws `validation_error` if header
 * and body differ, or if both are missing and the key is bound to several agents. Throws `agent_not_found` if the key is
 * bound to other agents.
 */
export function actingAgentOf(request: FastifyRequest, bodyAgentId?: string): string | null {
  const header = singleHeader(request, "x-agent-id").toLowerCase();
  const named = bodyAgentId === undefined ? header : agentIdOf(request, bodyAgentId);
  if (named !== "") {
    requireOwnAgent(request, named);
    return named;
  }
  const [only = null, ...others] = scopeOf(request).agentIds;
  if (others.length === 0) return only;
  const detail = "is required, because this key is bound to several agents";
  throw invalidField("/headers/x-agent-id", "required", detail);
}

/**
 * Returns the agent that acts on a route that ignores the `X-Agent-ID` of keys that are not bound to agents, or null. Throws
 * the errors of `actingAgentOf`.
 */
export function boundAgentOf(request: FastifyRequest): string | null {
  return scopeOf(request).agentIds.length === 0 ? null : actingAgentOf(request);
}

const AgentStatusRequest = StrictObject("AgentStatusRequest", {
  reason: Type.Optional(
    Type.String({
      maxLength: 500,
      ...PRINTABLE_TEXT,
      description: "Why the status changes, for the audit trail. Up to 500 characters.",
    }),
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
