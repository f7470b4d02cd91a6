import { Type } from "typebox";
import { AgentIdsIn, agentIdsOf } from "../../../../foundation/wire/agent-ids.ts";
import { ModeName } from "../../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../../foundation/wire/named-object.ts";
import { IssuedApiKeyResource, presentIssuedApiKey } from "../../../../modules/developers/keys/api-key-resource.ts";
import type { IssuedApiKey } from "../../../../modules/developers/keys/issue-api-key.ts";
import { createApiKey } from "../../../../workflows/create-api-key.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint } from "../../../route.ts";
import { keyRestrictionsOf, newKeyFields } from "./new-key-fields.ts";
import { verifiedPublicKey } from "./public-key.ts";

const CreateApiKeyRequest = StrictObject("CreateApiKeyRequest", {
  ...newKeyFields,
  mode: Type.Optional({
    ...ModeName,
    description: "The mode of the key. Default: the caller's mode. Test keys can only create test keys.",
  }),
  agent_ids: Type.Optional(
    AgentIdsIn("UUIDs of the agents that the key is bound to. Default: the `agent_ids` of the calling key."),
  ),
});

export const createApiKeyRoute = endpoint("POST /api/v1/svc/developers/me/keys", {
  operationId: "createApiKey",
  sdk: "developers.keys.issue",
  summary: "Create an API key",
  description:
    "Creates a key pair. By default, the new key has the restrictions of the calling key and most of its scopes (see `scopes`). For a dashboard session, the defaults are those of a key with all scopes and no restrictions. Fails with `insufficient_scope` if the new key would have more permissions than the caller. The key and its secret are returned only in this response. If you lose the response, a retry with the same `Idempotency-Key` fails with `secret_already_issued`: revoke the key and create another. Fails with `conflict` if the account already has 100 active keys.",
  auth: "tenant",
  scope: "keys:write",
  replayGuard: "always",
  body: CreateApiKeyRequest,
  answers: { 200: IssuedApiKeyResource },
  errors: ["insufficient_scope", "conflict"],
  example: { name: "CI", mode: "test" },
  run: async (app, request, reply) => {
    const principal = principalOf(request);
    const actor = actorOf(request);
    const { body } = request;
    const command = {
      actor,
      name: body.name,
      mode: body.mode ?? actor.mode,
      ...keyRestrictionsOf(body, app.clock.now()),
      agentIds: body.agent_ids && agentIdsOf(body.agent_ids),
      metadata: body.metadata ?? {},
      publicKey: verifiedPublicKey(body, principal.tenantId),
    };
    const now = app.clock.now();
    const present = (issued: IssuedApiKey) => presentIssuedApiKey(issued, now);
    return replyOnce(app, request, reply, { status: 200, secret: true, present }, (saveResponse) =>
      createApiKey(app, command, saveResponse),
    );
  },
});
