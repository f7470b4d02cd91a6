import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { deleteAgent } from "../../../workflows/index.ts";
import { actorOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { agentKeyOf } from "./agent-key.ts";

export function deleteAgentRoute(server: Server, app: App): void {
  server.route({
    method: "DELETE",
    url: "/api/v1/svc/agents/:agent_id",
    config: {
      auth: "tenant",
      scope: "agents:write",
      replayGuard: "strict",
      projectBound: "refused",
      sample: { sdk: "agents.delete(AGENT_ID)" },
    },
    schema: {
      operationId: "deleteAgent",
      tags: ["Agents"],
      summary: "Delete an agent",
      description:
        "Revokes the agent (see `POST /agents/{agent_id}/revoke`) and hides it: it is not found from then on. Its id is never free again. Its children remain, but cannot act. Fails with `conflict` while a wallet of the agent has a balance.",
      params: Type.Object({ agent_id: Type.String() }),
      response: { 204: Type.Null(), 404: Problem, 409: Problem, ...credentialErrors },
    },
    handler: async (request, reply) => {
      await deleteAgent(app, {
        actor: actorOf(request, principalOf(request)),
        key: agentKeyOf(request, request.params.agent_id),
      });
      return reply.code(204).send(null);
    },
  });
}
