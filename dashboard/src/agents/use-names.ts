import type { Agent, ApiKey, Policy } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";

/** The newest 100 agents, which name the agents of other screens. */
export function useAgents(): readonly Agent[] {
  return hooks.useQuery("get", "/agents", { params: { query: { limit: 100 } } }).data?.data ?? [];
}

/** Returns a function that tells the name of an agent, or its id if it is not among the newest 100. */
export function useAgentName(): (agentId: string) => string {
  const agents = useAgents();
  return (agentId) => agents.find(({ agent_id }) => agent_id === agentId)?.name ?? agentId;
}

/** All policies of the mode: an account has at most 200. Undefined until all are there. */
export function usePolicies(): readonly Policy[] | undefined {
  const page = (cursor: string | undefined) => ({ params: { query: { limit: 100, cursor } } });
  const first = hooks.useQuery("get", "/policies", page(undefined)).data;
  const cursor = first?.next_cursor ?? undefined;
  const rest = hooks.useQuery("get", "/policies", page(cursor), { enabled: cursor !== undefined }).data;
  if (first === undefined || (cursor !== undefined && rest === undefined)) return undefined;
  return cursor === undefined ? first.data : [...first.data, ...(rest?.data ?? [])];
}

/** The policies that name the agent or that it names; without any, the starter policy. */
export function policiesOf(agent: Agent, policies: readonly Policy[]): readonly Policy[] {
  const own = policies.filter(
    ({ policy_id, applies_to }) => policy_id === agent.policy_id || applies_to.agent_ids.includes(agent.agent_id),
  );
  return own.length > 0 ? own : policies.filter(({ starter }) => starter);
}

/** When a key that is bound to the agent was last used. Null if none was. */
export function lastSeen(agentId: string, keys: readonly ApiKey[]): string | null {
  const times = keys.flatMap(({ agent_ids, last_used_at }) =>
    agent_ids.includes(agentId) && last_used_at !== null ? [last_used_at] : [],
  );
  return times.toSorted().at(-1) ?? null;
}

export const toChoices = {
  agents: (agents: readonly Agent[]) => agents.map(({ agent_id, name }) => ({ value: agent_id, label: name })),
  policies: (policies: readonly Policy[] = []) =>
    policies.map(({ policy_id, name }) => ({ value: policy_id, label: name })),
};

/** Returns a text with its addresses in a form that fits into a title or a table. */
export function shortenAddresses(text: string): string {
  return text.replace(/\b(0x\w{6})\w{28}(\w{6})\b/g, "$1…$2");
}
