import { Type } from "typebox";
import { invalidField } from "../errors.ts";

/** The agents that something is bound to, as their UUIDs. */
export const AgentIdsIn = (description: string) =>
  Type.Array(
    Type.String({
      pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
      description: "A UUID.",
    }),
    { maxItems: 50, uniqueItems: true, description },
  );

/** UUIDs in one case, since the agents of keys and of projects are compared with each other. */
export function agentIdsOf(sent: readonly string[]): string[] {
  const agentIds = sent.map((agentId) => agentId.toLowerCase());
  if (new Set(agentIds).size === agentIds.length) return agentIds;
  throw invalidField("/body/agent_ids", "uniqueItems", "names an agent twice");
}
