import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import {
  type AgentLimits,
  type AgentOverview,
  createAgent as insertAgent,
  type NewAgent,
} from "../../modules/agents/index.ts";
import { bindPolicy, ensureStarterPolicy } from "../../modules/policies/index.ts";
import { assertNotRevoked } from "../../revocations/assert-not-revoked.ts";

/** Creates an agent. Throws `validation_error` for an unknown policy, and the errors of `createAgent` in the module. */
export async function createAgent(
  app: Pick<App, "db"> & AgentLimits,
  command: { readonly actor: Actor; readonly agent: NewAgent },
  saveResponse: SaveResponse<AgentOverview>,
): Promise<AgentOverview> {
  const { tenantId, mode } = command.actor;
  return withTransaction(app.db, tenantId, async (tx) => {
    await assertNotRevoked(tx, command.actor);
    // Raises the policy revision, which every change of agents locks before it locks an agent.
    await bindPolicy(tx, { tenantId, mode }, command.agent.policyId);
    await ensureStarterPolicy(tx, app, command.actor);
    const agent = await insertAgent(tx, app, command);
    await saveResponse(tx, agent);
    return agent;
  });
}
