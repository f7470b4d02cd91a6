import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import { listAgents } from "../../../modules/agents/queries.ts";
import { getAgent } from "../../../modules/agents/require-agent.ts";
import { readAgentBudget } from "../../../workflows/agents/read-agent-budget.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodePosition, LIMIT_DEFAULT, positionName, presentPage } from "../../cursor.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const getAgentRoute = endpoint("GET /api/v1/svc/agents/:agent_id", {
  operationId: "getAgent",
  sdk: "agents.get",
  summary: "Get an agent",
  description: "Returns the agent. Fails with `agent_not_found` if it is deleted.",
  auth: "tenant",
  scope: "agents:read",
  agentBound: "allowed",
  projectBound: "allowed",
  answers: { 200: AgentResource },
  errors: ["agent_not_found"],
  run: async (app, request) => {
    const key = agentKeyOf(request, request.params.agent_id);
    const agent = await getAgent(app.db, key);
    return presentAgent(agent, app.clock.now(), await readAgentBudget(app, agent));
  },
});

const AGENT_ID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const listAgentsRoute = endpoint("GET /api/v1/svc/agents", {
  operationId: "listAgents",
  sdk: "agents.list",
  summary: "List agents",
  description:
    "Returns the agents in the caller's mode, newest first. Deleted agents are not included. A key bound to agents gets only these, and a key bound only to projects gets the agents that can use them.",
  auth: "tenant",
  scope: "agents:read",
  agentBound: "allowed",
  projectBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(AgentResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodePosition(cursor, AGENT_ID_FORM);
    const page = await listAgents(app.db, scopeOf(request), {
      after: after && { createdAt: after.at, agentId: after.id },
      limit,
    });
    const now = app.clock.now();
    return presentPage(
      page,
      (agent) => presentAgent(agent, now),
      ({ createdAt, agentId }) => positionName(createdAt, agentId),
    );
  },
});
