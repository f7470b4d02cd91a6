import type { FastifyRequest } from "fastify";
import { AppError } from "../../../foundation/errors.ts";
import { isUuid } from "../../../foundation/ids.ts";
import type { ScopedAgentKey } from "../../../modules/agents/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { principalOf } from "../../route.ts";

/**
 * Returns the id of the agent in the path in lowercase, together with the filter for the rows that the caller can read.
 * Throws a 404 for a malformed id.
 */
export function agentKeyOf(request: FastifyRequest, agentId: string): ScopedAgentKey {
  if (!isUuid(agentId)) throw new AppError("agent_not_found", { internal: "malformed agent id" });
  return { ...scopeOf(principalOf(request)), agentId: agentId.toLowerCase() };
}
