import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import {
  type AgentLimits,
  type AgentOverview,
  registerAgent as findOrCreateAgent,
  hasAgent,
} from "../../modules/agents/index.ts";
import { ensureStarterPolicy, raisePolicyRevision } from "../../modules/policies/index.ts";
import { assertNotRevoked } from "../../revocations/assert-not-revoked.ts";

/**
 * Returns the agent with this id, and creates it in the caller's transaction if the id is new. The agent stays active
 * until the transaction ends. Throws `agent_suspended` if the agent or one of its ancestors is not active, or if the agent
 * was deleted, and `conflict` if the tenant has reached its maximum number of agents or is being killed.
 */
export async function registerAgent(
  tx: Tx,
  limits: AgentLimits,
  actor: Actor,
  { agentId }: { readonly agentId: string },
): Promise<AgentOverview> {
  const { tenantId, mode } = actor;
  const isKnown = await hasAgent(tx, { tenantId, mode, agentId });
  // Locks the policy revision before the agent, as every change of agents does.
  if (!isKnown) {
    await assertNotRevoked(tx, actor);
    await raisePolicyRevision(tx, { tenantId, mode });
    await ensureStarterPolicy(tx, limits, actor);
  }
  return findOrCreateAgent(tx, limits, { actor, agentId });
}
