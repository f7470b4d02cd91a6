import { type AgentPosition, AgentResource, listAgents, presentAgent } from "../../../modules/agents/index.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint, principalOf } from "../../route.ts";

const POSITION_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const listAgentsRoute = endpoint({
  method: "GET",
  url: "/api/v1/svc/agents",
  config: {
    auth: "tenant",
    scope: "agents:read",
    agentBound: "allowed",
    sample: { sdk: "each agents.list()" },
  },
  schema: {
    operationId: "listAgents",
    tags: ["Agents"],
    summary: "List agents",
    description:
      "Returns the agents in the caller's mode, newest first. Deleted agents are not included. A key bound to agents gets only these, and a key bound only to projects gets the agents that can use them.",
    querystring: CursorQuery,
    response: { 200: cursorPage(AgentResource) },
  },
  handler: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const page = await listAgents(app.db, scopeOf(principalOf(request)), {
      after: positionOf(decodeCursor(cursor, POSITION_FORM)),
      limit,
    });
    const now = app.clock.now();
    return presentPage(
      page,
      (agent) => presentAgent(agent, now),
      ({ createdAt, agentId }) => `${createdAt.toISOString()} ${agentId}`,
    );
  },
});

function positionOf(name: string | undefined): AgentPosition | undefined {
  if (name === undefined) return undefined;
  const [time = "", agentId = ""] = name.split(" ");
  return { createdAt: new Date(time), agentId };
}
