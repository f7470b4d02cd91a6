import type { App } from "../../app.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireActiveAgent } from "../../modules/agents/index.ts";
import type { GrantApiKey, IssuedApiKey } from "../../modules/developers/index.ts";
import { createApiKey } from "../create-api-key.ts";

export interface CreateAgentKey extends Omit<GrantApiKey, "mode" | "agentIds"> {
  /** A UUID in lowercase. */
  readonly agentId: string;
}

/**
 * Issues an API key that is bound to one agent and has its mode. Throws `agent_not_found`, `agent_suspended` if the agent
 * or one of its ancestors is not active, and the errors of `createApiKey`.
 */
export async function createAgentKey(
  app: App,
  { agentId, ...command }: CreateAgentKey,
  saveResponse: SaveResponse<IssuedApiKey>,
): Promise<IssuedApiKey> {
  const { tenantId, mode } = command.actor;
  const key = { tenantId, mode, agentId };
  await requireActiveAgent(app.db, key, app.clock.now());
  return createApiKey(app, { ...command, mode, agentIds: [agentId] }, async (tx, issued) => {
    // A revocation and this transaction lock the account, so they cannot overlap. The key of an agent that has been
    // revoked since the first check would never be revoked.
    await requireActiveAgent(tx, key, app.clock.now());
    await saveResponse(tx, issued);
  });
}
