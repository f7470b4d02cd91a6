import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import { getAgent } from "../../../modules/agents/require-agent.ts";
import { readAgentBudget } from "../../../workflows/agents/read-agent-budget.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const getAgentRoute = endpoint("GET /api/v1/svc/agents/:agent_id", {
  config: {
    auth: "tenant",
    scope: "agents:read",
    agentBound: "allowed",
    projectBound: "allowed",
    sample: { sdk: "agents.get(AGENT_ID)" },
  },
  schema: {
    operationId: "getAgent",
    summary: "Get an agent",
    description: "Returns the agent. Fails with `agent_not_found` if it is deleted.",
    response: { 200: AgentResource },
  },
  handler: async (app, request) => {
    const key = agentKeyOf(request, request.params.agent_id);
    const agent = await getAgent(app.db, key);
    return presentAgent(agent, app.clock.now(), await readAgentBudget(app, agent));
  },
});
