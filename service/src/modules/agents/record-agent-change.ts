import type { Actor, AuditEvent } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import { presentAgent } from "./agent-resource.ts";
import type { AgentOverview } from "./queries.ts";

/** Writes the audit entry and the event for a change to an agent, in the transaction of the change. */
export async function recordAgentChange(
  tx: Tx,
  actor: Actor,
  { agent, ...entry }: Omit<AuditEvent, "subject" | "chain"> & { readonly agent: AgentOverview },
): Promise<void> {
  const subject = { type: "agent", id: agent.agentId };
  await recordEntryAndEvent(tx, actor, { ...entry, subject }, () => presentAgent(agent, entry.occurredAt));
}
