import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { presentAgent } from "./agent-resource.ts";
import type { AgentOverview } from "./queries.ts";

export interface AgentChangeRecord {
  readonly action:
    | "agent.created"
    | "agent.updated"
    | "agent.kya_changed"
    | "agent.suspended"
    | "agent.resumed"
    | "agent.revoked"
    | "agent.expired";
  readonly agent: AgentOverview;
  readonly facts: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

/** Writes the audit entry and the event for a change to an agent, in the transaction of the change. */
export async function recordAgentChange(
  tx: Tx,
  actor: Actor,
  { action, agent, facts, occurredAt }: AgentChangeRecord,
): Promise<void> {
  const subject = { type: "agent", id: agent.agentId };
  await recordEntryAndEvent(tx, actor, { action, subject, facts, occurredAt }, () => presentAgent(agent, occurredAt));
}
