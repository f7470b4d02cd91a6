import { type Static, Type } from "typebox";
import { Clearable, MetadataPatch } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import type { AgentOverview } from "../../../modules/agents/queries.ts";
import { type AgentChange, updateAgent } from "../../../modules/agents/update-agent.ts";
import { actorOf, mayDecideApprovals, principalOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { futureTime } from "../developers/fields.ts";
import { AgentName, agentFields, provenPublicKey } from "./agent-fields.ts";

const AgentUpdateRequest = StrictObject("AgentUpdateRequest", {
  name: Type.Optional(AgentName),
  ...agentFields,
  metadata: Type.Optional({
    ...Clearable(MetadataPatch),
    description:
      "Key-value pairs, merged with the current metadata. Set a key to null to remove it, or `metadata` to null to remove all keys. At most 50 keys after the update.",
  }),
  external_token: Type.Optional(
    Clearable(
      Type.String({
        maxLength: 8192,
        ...{ pattern: "^[A-Za-z0-9_.-]*$" },
        description:
          "A JWT of a supported issuer about the agent, which gives the level `attested` until the token expires. `sub` must be `{mode}/{developer_id}/{agent_id}`; or `sub` or `agent_id` the agent's id, `owner` the `developer_id` and `mode` the mode. Each `jti` is accepted once. `aud` must be this server's URL, and `exp` at most one year ahead. Algorithms: ES256, EdDSA, RS256. `null` removes the stored token.",
      }),
    ),
  ),
});

export const updateAgentRoute = endpoint("PATCH /api/v1/svc/agents/:agent_id", {
  operationId: "updateAgent",
  sdk: "agents.update",
  summary: "Update an agent",
  description:
    "Updates an agent. Absent fields are unchanged, and `null` clears a nullable field. `metadata` is merged with its current value. `public_key` adds a key, up to five. Fails with `conflict` if the agent is revoked or expired, and with `provider_unavailable` if the keys of the token's issuer cannot be fetched.",
  auth: "tenant",
  scope: "agents:write",
  replayGuard: "always",
  body: AgentUpdateRequest,
  answers: { 200: AgentResource },
  errors: ["conflict", "provider_unavailable"],
  example: { name: "buyer-2" },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const { body } = request;
    const change = changeOf(body, request.params.agent_id.toLowerCase(), app.clock.now());
    const present = (agent: AgentOverview) => presentAgent(agent, app.clock.now());
    return replyOnce(app, request, reply, { status: 200, present }, async (saveResponse) => {
      const key = agentKeyOf(request, request.params.agent_id);
      const mayDecide = mayDecideApprovals(principalOf(request));
      const command = { actor, key, change, mayDecide, externalToken: body.external_token };
      return updateAgent(app, command, saveResponse);
    });
  },
});

function changeOf(body: Static<typeof AgentUpdateRequest>, agentId: string, now: Date): AgentChange {
  const { expires_at: expiresAt } = body;
  return {
    name: body.name,
    description: body.description,
    software: body.software,
    expiresAt: typeof expiresAt === "string" ? futureTime(expiresAt, now) : expiresAt,
    policyId: body.policy_id,
    metadata: body.metadata,
    publicKey: provenPublicKey(body, agentId),
  };
}
