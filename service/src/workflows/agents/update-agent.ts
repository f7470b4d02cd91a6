import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import {
  type AgentChange,
  type AgentKey,
  type AgentOverview,
  requireAgent,
  updateAgent as updateAgentInTransaction,
  useExternalToken,
  verifyExternalToken,
} from "../../modules/agents/index.ts";
import { bindPolicy, raisePolicyRevision, throwIfBoundToLess } from "../../modules/policies/index.ts";

export interface UpdateAgent {
  readonly actor: Actor;
  readonly key: AgentKey;
  readonly change: AgentChange;
  /** Whether the caller may decide approvals. */
  readonly mayDecide: boolean;
  /** A token of another issuer about the agent. Null removes the stored one. */
  readonly externalToken: string | null | undefined;
}

/**
 * Changes an agent. Throws `agent_not_found` and the errors of `updateAgent` and `verifyExternalToken` and
 * `useExternalToken` in the module.
 */
export async function updateAgent(
  app: Parameters<typeof verifyExternalToken>[0] & Pick<App, "db">,
  { externalToken, ...command }: UpdateAgent,
  saveResponse: SaveResponse<AgentOverview>,
): Promise<AgentOverview> {
  const { key } = command;
  const { tenantId } = key;
  // Fetches the issuer's keys only for an agent that exists, and before the transaction begins.
  await requireAgent(app.db, key);
  const attestation =
    typeof externalToken === "string" ? await verifyExternalToken(app, { token: externalToken, key }) : externalToken;
  return withTransaction(app.db, tenantId, async (tx) => {
    const at = app.clock.now();
    await raiseRevisionIfNeeded(tx, command, attestation);
    if (attestation) await useExternalToken(tx, key, attestation);
    const agent = await updateAgentInTransaction(tx, { ...command, attestation, at });
    await saveResponse(tx, agent);
    return agent;
  });
}

/**
 * Raises the policy revision if the change can alter decisions about the agent's spendings. Throws `validation_error`
 * for an unknown policy, and `insufficient_scope` as `throwIfBoundToLess` does. The revision is locked before the
 * agent, as in every other change of agents.
 */
async function raiseRevisionIfNeeded(
  tx: Tx,
  { key, change, mayDecide }: Pick<UpdateAgent, "key" | "change" | "mayDecide">,
  attestation: unknown,
): Promise<void> {
  const { policyId, publicKey, expiresAt } = change;
  if (policyId !== undefined) {
    await bindPolicy(tx, key, policyId);
    const { policyId: from } = await requireAgent(tx, key);
    return throwIfBoundToLess(tx, key, { mayDecide, from, to: policyId });
  }
  const others = [publicKey, expiresAt, attestation];
  if (others.some((value) => value !== undefined)) await raisePolicyRevision(tx, key);
}
