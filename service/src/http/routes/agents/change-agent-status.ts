import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { PRINTABLE_TEXT } from "../../../foundation/wire/fields.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { type AgentOverview, AgentResource, presentAgent } from "../../../modules/agents/index.ts";
import type { suspendAgent } from "../../../workflows/index.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { principalOf, type Server } from "../../route.ts";
import { agentKeyOf } from "./agent-key.ts";

const AgentStatusRequest = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        maxLength: 500,
        ...PRINTABLE_TEXT,
        description: "Why the status changes, for the audit trail. Up to 500 characters.",
      }),
    ),
  },
  { $id: "AgentStatusRequest", additionalProperties: false },
);

interface StatusRoute {
  readonly verb: "suspend" | "resume" | "revoke";
  readonly summary: string;
  readonly description: string;
  readonly change: (
    app: App,
    ...command: Parameters<typeof suspendAgent> extends [unknown, ...infer Rest] ? Rest : never
  ) => Promise<AgentOverview>;
}

/** Adds a route that changes an agent's status. */
export function addStatusRoute(server: Server, app: App, route: StatusRoute): void {
  const { verb, summary, description, change } = route;
  server.route({
    method: "POST",
    url: `/api/v1/svc/agents/:agent_id/${verb}`,
    config: {
      auth: "tenant",
      scope: "agents:write",
      replayGuard: verb === "resume" ? "always" : "strict",
      projectBound: "refused",
      sample: { sdk: `agents.${verb}(AGENT_ID)` },
    },
    schema: {
      operationId: `${verb}Agent`,
      tags: ["Agents"],
      summary,
      description,
      params: Type.Object({ agent_id: Type.String() }),
      body: AgentStatusRequest,
      response: { 200: AgentResource, 404: Problem, 409: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      const actor = actorOf(request, principalOf(request));
      const { reason = null } = request.body;
      const present = (agent: AgentOverview) => presentAgent(agent, app.clock.now());
      return replyOnce(app, request, reply, { status: 200, present }, async (saveResponse) => {
        const key = agentKeyOf(request, request.params.agent_id);
        return change(app, { actor, key, reason }, saveResponse);
      });
    },
  });
}
