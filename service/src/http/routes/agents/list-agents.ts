import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import { listAgents } from "../../../modules/agents/queries.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodePosition, LIMIT_DEFAULT, positionName, presentPage } from "../../cursor.ts";
import { endpoint, principalOf } from "../../route.ts";

const AGENT_ID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const listAgentsRoute = endpoint("GET /api/v1/svc/agents", {
  config: {
    auth: "tenant",
    scope: "agents:read",
    agentBound: "allowed",
    projectBound: "allowed",
    sample: { sdk: "each agents.list()" },
  },
  schema: {
    operationId: "listAgents",
    summary: "List agents",
    description:
      "Returns the agents in the caller's mode, newest first. Deleted agents are not included. A key bound to agents gets only these, and a key bound only to projects gets the agents that can use them.",
    querystring: CursorQuery,
    response: { 200: cursorPage(AgentResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodePosition(cursor, AGENT_ID_FORM);
    const page = await listAgents(app.db, scopeOf(principalOf(request)), {
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
