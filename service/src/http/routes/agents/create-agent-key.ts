import { Type } from "typebox";
import { IssuedApiKeyResource, presentIssuedApiKey } from "../../../modules/developers/keys/api-key-resource.ts";
import type { IssuedApiKey } from "../../../modules/developers/keys/issue-api-key.ts";
import { createAgentKey } from "../../../workflows/create-api-key.ts";
import { actorOf, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { keyRestrictionsOf, newKeyFields } from "../developers/keys/new-key-fields.ts";
import { verifiedPublicKey } from "../developers/keys/public-key.ts";

const CreateAgentKeyRequest = Type.Object(newKeyFields, {
  $id: "CreateAgentKeyRequest",
  additionalProperties: false,
});

export const createAgentKeyRoute = endpoint("POST /api/v1/svc/agents/:agent_id/keys", {
  operationId: "createAgentKey",
  sdk: "agents.createKey",
  summary: "Create an agent's API key",
  description:
    "Creates a key pair that is bound to the agent and has its mode. Works like `POST /developers/me/keys` otherwise: the secret is returned only in this response, and the key cannot have more permissions than the caller. Fails with `agent_suspended` if the agent or one of its ancestors is not active.",
  auth: "tenant",
  scope: "agents:write",
  replayGuard: "always",
  body: CreateAgentKeyRequest,
  answers: { 200: IssuedApiKeyResource },
  errors: ["agent_suspended"],
  example: { name: "buyer-1" },
  run: async (app, request, reply) => {
    const principal = principalOf(request);
    const { body } = request;
    const now = app.clock.now();
    const command = {
      actor: actorOf(request),
      name: body.name,
      ...keyRestrictionsOf(body, now),
      metadata: body.metadata ?? {},
      publicKey: verifiedPublicKey(body, principal.tenantId),
    };
    const present = (issued: IssuedApiKey) => presentIssuedApiKey(issued, now);
    return replyOnce(app, request, reply, { status: 200, secret: true, present }, async (saveResponse) => {
      const { agentId } = agentKeyOf(request, request.params.agent_id);
      return createAgentKey(app, { ...command, agentId }, saveResponse);
    });
  },
});
