import type { Db, Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { effectiveStatusAt } from "./agent-status.ts";
import {
  type Agent,
  type AgentKey,
  type AgentOverview,
  agentRows,
  findAgentOverview,
  listLineage,
  lockForChange,
  type ScopedAgentKey,
} from "./queries.ts";

/** Returns the tenant's agent with this ID and mode. Throws `agent_not_found` if there is none, or if it is deleted. */
export async function requireAgent(db: Db, key: AgentKey): Promise<Agent> {
  const [agent] = existing([await agentRows.find(db, key)], key);
  return agent;
}

/**
 * Performs the first part of the know-your-agent (KYA) check. Throws `agent_not_found` if the agent does not exist, and
 * `agent_suspended` if it or one of its ancestors is not active. Calls without an agent act as the developer and skip
 * this check (docs/api.md, section 10).
 */
export async function requireActiveAgent(db: Db, key: AgentKey, at: Date): Promise<void> {
  throwIfNotActive(existing(await listLineage(db, key), key), at);
}

/** Throws `agent_suspended` if the agent or one of its ancestors is not active. */
export function throwIfNotActive(lineage: readonly Agent[], at: Date): void {
  const status = effectiveStatusAt(lineage, at);
  if (status === "active") return;
  throw new AppError("agent_suspended", {
    detail: `The agent or one of its ancestors is ${status}. Use an active agent.`,
  });
}

/** Returns the agent in its API representation's fields. Throws `agent_not_found` if it is not in the caller's scope. */
export async function getAgent(db: Db, key: ScopedAgentKey): Promise<AgentOverview> {
  return (await findAgentOverview(db, key)) ?? agentNotFound(key);
}

/** Returns the tenant's agent, whatever the caller's scope. */
export function getTenantAgent(db: Db, { tenantId, mode, agentId }: AgentKey): Promise<AgentOverview> {
  return getAgent(db, { tenantId, mode, agentId, agentIds: [], projectIds: [] });
}

/** Locks the agent for a change (see `lockForChange`). Throws `agent_not_found`. */
export async function requireAgentLocked(
  tx: Tx,
  key: AgentKey,
): Promise<readonly [agent: Agent, ...ancestors: Agent[]]> {
  return existing(await lockForChange(tx, key), key);
}

function existing(
  lineage: readonly (Agent | undefined)[],
  key: AgentKey,
): readonly [agent: Agent, ...ancestors: Agent[]] {
  const [agent, ...ancestors] = lineage.filter((member) => member !== undefined);
  return agent === undefined || agent.deletedAt !== null ? agentNotFound(key) : [agent, ...ancestors];
}

function agentNotFound({ agentId }: Pick<AgentKey, "agentId">): never {
  throw new AppError("agent_not_found", {
    internal: `agent ${agentId} does not exist in this mode`,
  });
}
