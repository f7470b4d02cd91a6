import { Type } from "typebox";
import { deleteAgent } from "../../../workflows/agents/change-agent-status.ts";
import { actorOf } from "../../auth/principal.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const deleteAgentRoute = endpoint("DELETE /api/v1/svc/agents/:agent_id", {
  operationId: "deleteAgent",
  sdk: "agents.delete",
  summary: "Delete an agent",
  description:
    "Revokes the agent (see `POST /agents/{agent_id}/revoke`) and hides it: it is not found from then on. Its id is never free again. Its children remain, but cannot act. Fails with `conflict` while a wallet of the agent has a balance.",
  auth: "tenant",
  scope: "agents:write",
  replayGuard: "strict",
  answers: { 204: Type.Null() },
  errors: ["conflict"],
  run: async (app, request, reply) => {
    await deleteAgent(app, {
      actor: actorOf(request),
      key: agentKeyOf(request, request.params.agent_id),
    });
    return reply.code(204).send(null);
  },
});
