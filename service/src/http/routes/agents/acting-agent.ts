import type { FastifyRequest } from "fastify";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { type Principal, scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";

/** Returns the `agent_id` of a body in lowercase. Throws `validation_error` if `X-Agent-ID` names another agent. */
export function agentIdOf(request: FastifyRequest, bodyAgentId: string): string {
  const agentId = bodyAgentId.toLowerCase();
  const header = singleHeader(request, "x-agent-id").toLowerCase();
  if (header === "" || header === agentId) return agentId;
  throw invalidField("/body/agent_id", "mismatch", "must be equal to the X-Agent-ID header");
}

/** Throws `agent_not_found` if the key is bound to other agents. */
export function requireOwnAgent(principal: Principal, agentId: string): void {
  const { agentIds } = scopeOf(principal);
  if (agentIds.length === 0 || agentIds.includes(agentId)) return;
  throw new AppError("agent_not_found", { internal: "the key is bound to other agents" });
}
