import { Type } from "typebox";
import { invalidField } from "../errors.ts";
import { Text } from "./fields.ts";

/** A list of at most 50 agent ids. */
export const AgentIdsIn = (description: string) =>
  Type.Array(
    Text("A UUID.", { pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$" }),
    { maxItems: 50, uniqueItems: true, description },
  );

/**
 * Converts agent ids to lowercase, so that the agents of keys and projects can be compared. Throws `validation_error`
 * if an id occurs twice.
 */
export function agentIdsOf(sent: readonly string[]): string[] {
  const agentIds = sent.map((agentId) => agentId.toLowerCase());
  if (new Set(agentIds).size === agentIds.length) return agentIds;
  throw invalidField("/body/agent_ids", "uniqueItems", "contains the same agent more than once");
}
