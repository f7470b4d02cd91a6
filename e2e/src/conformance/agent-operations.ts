import { signedCaller } from "./callers.ts";
import type { ConformanceContext } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";

const OTHER_AGENT = "/agents/5f0f7d3c-2f0b-4b53-8d0e-0a3d6f6f9b11";

/** Signs with the key that an earlier operation bound to the agent. */
function asAgent({ baseUrl, recall }: ConformanceContext) {
  return signedCaller(baseUrl, { apiKey: recall("agent's api_key"), apiSecret: recall("agent's api_secret") });
}

const ownKey = wrong("a key bound to the agent", 403, { as: asAgent });
const otherAgent = (suffix = "") =>
  wrong("another agent, with a bound key", 404, { as: asAgent, request: { path: OTHER_AGENT + suffix } });

const withReason = { request: { body: { reason: "Paid the same invoice twice" } } };
const KYA_QUERY = "/kya-token?audience=https://shop.example";

/** Operations on one agent, from its creation to its deletion, and on a kill switch of the agent. */
export const agentOperations: readonly Operation[] = [
  row("POST /agents", { request: { body: { name: "conformance" } }, save: { agent_id: "agent_id" } }),
  row("POST /agents/{agent_id}/keys", {
    request: { body: { name: "conformance" } },
    save: { "agent's api_key": "api_key", "agent's api_secret": "api_secret" },
  }),
  row("GET /agents"),
  row("GET /agents/{agent_id}", { wrong: [otherAgent()] }),
  row("GET /agents/{agent_id}/budgets", { wrong: [otherAgent("/budgets")] }),
  row("GET /agents/{agent_id}/kya-token", {
    request: ({ recall }) => ({ path: `/agents/${recall("agent_id")}${KYA_QUERY}` }),
    wrong: [otherAgent(KYA_QUERY)],
  }),
  row("PATCH /agents/{agent_id}", { request: { body: { name: "renamed" } }, wrong: [ownKey] }),
  row("POST /agents/{agent_id}/suspend", { ...withReason, wrong: [ownKey] }),
  row("POST /agents/{agent_id}/resume", { ...withReason, wrong: [ownKey] }),
  // The key that is bound to the agent is revoked with it, so it is used before.
  row("POST /agents/{agent_id}/revoke", { ...withReason, wrong: [ownKey] }),
  row("POST /kill-switch", {
    request: ({ recall }) => ({ body: { scope: "agent", id: recall("agent_id"), reason: "conformance" } }),
    save: { kill_switch_id: "kill_switch_id" },
  }),
  row("GET /kill-switch"),
  row("GET /kill-switch/{kill_switch_id}"),
  row("POST /kill-switch/{kill_switch_id}/reconcile"),
  row("DELETE /agents/{agent_id}", {
    wrong: [wrong("a key that was revoked with its agent", 401, { as: asAgent })],
  }),
];
