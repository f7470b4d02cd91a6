import type { FastifyRequest } from "fastify";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";

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
 * Returns the agent that acts, in lowercase (docs/rules/scopes.md): the one in `X-Agent-ID` or the request body, or
 * else the only agent that the key is bound to. Null if the caller acts as the developer. Throws `validation_error` if
 * header and body differ, or if both are missing and the key is bound to several agents. Throws `agent_not_found` if
 * the key is bound to other agents.
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
