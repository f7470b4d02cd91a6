import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { assertNotRevoked } from "../../revocations/assert-not-revoked.ts";
import { ensureStarterPolicy, raisePolicyRevision } from "../policies/index.ts";
import { effectiveStatusAt } from "./agent-status.ts";
import { type AgentLimits, addAgent } from "./create-agent.ts";
import { type AgentOverview, hasAgent, listLineageLocked } from "./queries.ts";
import { getTenantAgent, throwIfNotActive } from "./require-agent.ts";

/**
 * Returns the agent with this id, and creates it in the caller's transaction if the id is new. Its name is then its id. The
 * agent stays active until the transaction ends. Throws `agent_suspended` if the agent or one of its ancestors is not
 * active, or if the agent was deleted, and `conflict` if the tenant has reached its maximum number of agents or is being
 * killed.
 */
export async function registerAgent(
  tx: Tx,
  limits: AgentLimits,
  actor: Actor,
  { agentId }: { readonly agentId: string },
): Promise<AgentOverview> {
  const { tenantId, mode } = actor;
  const key = { tenantId, mode, agentId };
  if (!(await hasAgent(tx, key))) {
    await assertNotRevoked(tx, actor);
    // Locks the policy revision before the agent, as every change of agents does. Of two concurrent calls, one creates it.
    await raisePolicyRevision(tx, { tenantId, mode });
    await ensureStarterPolicy(tx, limits, actor);
  }
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
  return addAgent(tx, limits, { actor, agent });
}
