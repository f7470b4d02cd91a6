import { AppError, invalidField } from "../../../../foundation/errors.ts";
import type { Principal } from "../../../auth/principal.ts";

/**
 * Returns the agent id from the `X-Agent-ID` header or the request body (docs/api.md, section 10). If both are missing,
 * returns the only agent that the key is bound to, or null if the key is not bound to agents. Throws `validation_error`
 * if header and body differ, or if both are missing and the key is bound to several agents. Throws `agent_not_found` if
 * the key is bound to other agents.
 */
export function agentOf(
  principal: Principal,
  header: string,
  body?: string | undefined,
): string | null {
  const agentIds = [header, body ?? ""].filter((id) => id !== "").map((id) => id.toLowerCase());
  const [agentId = null, other = agentId] = agentIds;
  if (agentId !== other) {
    throw invalidField("/body/agent_id", "mismatch", "must be equal to the X-Agent-ID header");
  }
  const bound = principal.kind === "api_key" ? principal.agentIds : [];
  if (bound.length === 0) return agentId;
  const own = bound.map((id) => id.toLowerCase());
  if (agentId === null) {
    const [only] = own;
    if (own.length === 1 && only !== undefined) return only;
    const detail = "is required, because this key is bound to several agents";
    throw invalidField("/headers/x-agent-id", "required", detail);
  }
  if (!own.includes(agentId)) throw new AppError("agent_not_found");
  return agentId;
}
