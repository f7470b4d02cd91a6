import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { type AgentKey, updateAgentRow } from "./queries.ts";

/** Marks a revoked agent as deleted. Its id is never free again. The caller must have locked the agent. */
export async function hideAgent(
  tx: Tx,
  { actor, key, at }: { readonly actor: Actor; readonly key: AgentKey; readonly at: Date },
): Promise<void> {
  await updateAgentRow(tx, key, { deletedAt: at, updatedAt: at });
  await appendAuditEntry(tx, actor, {
    action: "agent.deleted",
    subject: { type: "agent", id: key.agentId },
    facts: {},
    occurredAt: at,
  });
}
