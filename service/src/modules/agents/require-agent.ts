import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { type Agent, findAgent } from "./queries.ts";

interface AgentKey {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** A UUID in lower case. */
  readonly agentId: string;
}

/** The tenant's agent, or `agent_not_found`, which another tenant's and one of the other mode are too. */
export async function requireAgent(db: Db, key: AgentKey): Promise<Agent> {
  const agent = await findAgent(db, key);
  if (agent === undefined) {
    throw new AppError("agent_not_found", { internal: `no agent ${key.agentId} in this mode` });
  }
  return agent;
}

/**
 * The know-your-agent gate: what an agent sets out to do needs an agent that is active. A call with a developer's own key
 * and no agent passes as the developer, and does not come here (contract, ruling 6).
 */
export async function requireActiveAgent(db: Db, key: AgentKey): Promise<void> {
  const { status } = await requireAgent(db, key);
  if (status !== "active") {
    throw new AppError("agent_suspended", { detail: `The agent is ${status}.` });
  }
}
