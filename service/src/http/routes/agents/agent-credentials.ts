import { Type } from "typebox";
import { Text } from "../../../foundation/wire/fields.ts";
import { issueKyaToken, KyaTokenResource } from "../../../modules/agents/kya/issue-kya-token.ts";
import { IssuedApiKeyResource, presentIssuedApiKey } from "../../../modules/developers/keys/api-key-resource.ts";
import type { IssuedApiKey } from "../../../modules/developers/keys/api-keys.ts";
import { createAgentKey } from "../../../workflows/create-api-key.ts";
import { actorOf, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { keyRestrictionsOf, newKeyFields, verifiedPublicKey } from "../developers/keys/new-key-fields.ts";

const CreateAgentKeyRequest = Type.Object(newKeyFields, {
  $id: "CreateAgentKeyRequest",
  additionalProperties: false,
});

const createAgentKeyRoute = endpoint("POST /api/v1/svc/agents/:agent_id/keys", {
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

const getKyaTokenRoute = endpoint("GET /api/v1/svc/agents/:agent_id/kya-token", {
  operationId: "getKyaToken",
  sdk: "agents.kyaToken",
  summary: "Get a token about an agent",
  description:
    "Returns a signed token with which the agent shows a third party how well it is known (KYA). The token is valid for ten minutes. The third party verifies it with the keys at `jwks_url` and compares `aud` with its own URL. Each token is an entry of the audit trail. Fails with `agent_suspended` if the agent or one of its ancestors is not active.",
  auth: "tenant",
  scope: "agents:read",
  agentBound: "allowed",
  projectBound: "allowed",
  query: Type.Object(
    {
      audience: Text(
        "Whom the token is for, usually a URL such as `https://shop.example`: 1 to 200 ASCII characters without spaces.",
        { pattern: "^[!-~]{1,200}$", example: "https://shop.example" },
      ),
    },
    { additionalProperties: false },
  ),
  answers: { 200: KyaTokenResource },
  errors: ["agent_suspended"],
  run: async (app, request) => {
    const key = agentKeyOf(request, request.params.agent_id);
    const actor = actorOf(request);
    return issueKyaToken(app, { key, actor, audience: request.query.audience });
  },
});

export const agentCredentialRoutes: readonly Route[] = [createAgentKeyRoute, getKyaTokenRoute];
