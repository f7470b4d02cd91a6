import type { Db, Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { AgentStatus } from "../../foundation/vocabulary.ts";
import { effectiveStatusAt } from "./agent-status.ts";
import {
  type Agent,
  type AgentKey,
  type AgentOverview,
  findAgentOverview,
  listLineage,
  lockForChange,
  type ScopedAgentKey,
} from "./queries.ts";

/** Returns the tenant's agent with this ID and mode. Throws `agent_not_found` if there is none, or if it is deleted. */
export async function requireAgent(db: Db, key: AgentKey): Promise<Agent> {
  const [agent] = existing(await listLineage(db, key), key);
  return agent;
}

/** An agent, and whether it can act. */
export interface AgentWithStatus {
  readonly agent: Agent;
  /** The parent, its parent, and so on. */
  readonly ancestors: readonly Agent[];
  /** `active` only if the agent and all its ancestors are active. */
  readonly status: AgentStatus;
}

/** Reads the agent, its ancestors and its effective status in one query. Throws `agent_not_found`. */
export async function readEffectiveStatus(db: Db, key: AgentKey, at: Date): Promise<AgentWithStatus> {
  const lineage = await listLineage(db, key);
  const [agent, ...ancestors] = existing(lineage, key);
  return { agent, ancestors, status: effectiveStatusAt(lineage, at) };
}

/**
 * Performs the first part of the know-your-agent (KYA) check. Throws `agent_not_found` if the agent does not exist, and
 * `agent_suspended` if it or one of its ancestors is not active. Calls without an agent act as the developer and skip
 * this check (docs/api.md, section 10).
 */
export async function requireActiveAgent(db: Db, key: AgentKey, at: Date): Promise<void> {
  throwIfNotActive(await readEffectiveStatus(db, key, at));
}

/** Throws `agent_suspended` if the agent or one of its ancestors is not active. */
export function throwIfNotActive({ status }: Pick<AgentWithStatus, "status">): void {
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

function existing(lineage: readonly Agent[], key: AgentKey): readonly [agent: Agent, ...ancestors: Agent[]] {
  const [agent, ...ancestors] = lineage;
  return agent === undefined || agent.deletedAt !== null ? agentNotFound(key) : [agent, ...ancestors];
}

function agentNotFound({ agentId }: Pick<AgentKey, "agentId">): never {
  throw new AppError("agent_not_found", {
    internal: `agent ${agentId} does not exist in this mode`,
  });
}
