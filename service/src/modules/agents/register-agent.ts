import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { effectiveStatusAt } from "./agent-status.ts";
import { type AgentLimits, createAgent } from "./create-agent.ts";
import { type AgentOverview, listLineageLocked } from "./queries.ts";
import { getTenantAgent, throwIfNotActive } from "./require-agent.ts";

/**
 * Returns the agent with this id, and creates it if the id is new. Its name is then its id. The agent stays active until
 * the transaction ends. Throws `agent_suspended` if the agent or one of its ancestors is not active, or if the agent was
 * deleted. The caller must have locked the policy revision if the agent did not exist, so that of two concurrent calls only
 * one creates it.
 */
export async function registerAgent(
  tx: Tx,
  limits: AgentLimits,
  { actor, agentId }: { readonly actor: Actor; readonly agentId: string },
): Promise<AgentOverview> {
  const { tenantId, mode } = actor;
  const key = { tenantId, mode, agentId };
  const lineage = await listLineageLocked(tx, key);
  if (lineage.length === 0) return createNamedById(tx, limits, actor, agentId);
  if (lineage[0]?.deletedAt !== null) {
    throw new AppError("agent_suspended", { detail: "The agent is deleted. Use another agent." });
  }
  throwIfNotActive({ status: effectiveStatusAt(lineage, limits.clock.now()) });
  return getTenantAgent(tx, key);
}

function createNamedById(tx: Tx, limits: AgentLimits, actor: Actor, agentId: string): Promise<AgentOverview> {
  const agent = {
    agentId,
    name: agentId,
    description: null,
    software: null,
    expiresAt: null,
    policyId: null,
    parentAgentId: null,
    metadata: {},
    publicKey: null,
  };
  return createAgent(tx, limits, { actor, agent });
}
