import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { type Agent, findAgent } from "./queries.ts";

interface AgentKey {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** A UUID in lowercase. */
  readonly agentId: string;
}

/** Returns the tenant's agent with this ID and mode. Throws `agent_not_found` if there is none. */
export async function requireAgent(db: Db, key: AgentKey): Promise<Agent> {
  const agent = await findAgent(db, key);
  if (agent === undefined) {
    throw new AppError("agent_not_found", {
      internal: `agent ${key.agentId} does not exist in this mode`,
    });
  }
  return agent;
}

/**
 * Performs the know-your-agent (KYA) check. Throws `agent_not_found` if the agent does not exist, and `agent_suspended`
 * if it is not active. Calls without an agent act as the developer and skip this check (docs/api.md, section 10).
 */
export async function requireActiveAgent(db: Db, key: AgentKey): Promise<void> {
  const { status } = await requireAgent(db, key);
  if (status !== "active") {
    throw new AppError("agent_suspended", {
      detail: `The agent is ${status}. Use an active agent.`,
    });
  }
}
