import { type Static, Type } from "typebox";
import { Clearable, Metadata } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import { createAgent, type NewAgent } from "../../../modules/agents/create-agent.ts";
import type { AgentOverview } from "../../../modules/agents/queries.ts";
import { actorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { futureTime } from "../developers/fields.ts";
import { AgentId, AgentName, agentFields, provenPublicKey } from "./agent-fields.ts";

const AgentCreateRequest = StrictObject("AgentCreateRequest", {
  agent_id: Type.Optional({
    ...AgentId,
    description:
      "A UUID that no other agent of this mode has or had. Default: a new random one. Required with `public_key`.",
  }),
  name: AgentName,
  ...agentFields,
  parent_agent_id: Type.Optional(
    Clearable({
      ...AgentId,
      description:
        "The agent that this agent acts for. It must be active and have at most two ancestors. It cannot be changed later.",
    }),
  ),
  metadata: Type.Optional({
    ...Metadata,
    description: "Up to 50 key-value pairs that you choose. Default: `{}`.",
  }),
});

export const createAgentRoute = endpoint("POST /api/v1/svc/agents", {
  operationId: "createAgent",
  sdk: "agents.create",
  summary: "Create an agent",
  description:
    "Creates an active agent in the caller's mode. A child agent cannot act while its parent is not active, and its parent's policies apply to it too. Fails with `already_exists` if the id is taken, also by a deleted agent, and with `conflict` if the account has reached its maximum number of agents.",
  auth: "tenant",
  scope: "agents:write",
  replayGuard: "strict",
  body: AgentCreateRequest,
  answers: { 201: AgentResource },
  errors: ["already_exists", "conflict"],
  example: { name: "buyer-1" },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const agent = newAgentOf(request.body, app.clock.now());
    const present = (created: AgentOverview) => presentAgent(created, app.clock.now());
    return replyOnce(app, request, reply, { status: 201, present }, (saveResponse) =>
      createAgent(app, { actor, agent }, saveResponse),
    );
  },
});

function newAgentOf(body: Static<typeof AgentCreateRequest>, now: Date): NewAgent {
  const agentId = body.agent_id?.toLowerCase();
  const { expires_at: expiresAt } = body;
  return {
    agentId,
    name: body.name,
    description: body.description ?? null,
    software: body.software ?? null,
    expiresAt: typeof expiresAt === "string" ? futureTime(expiresAt, now) : null,
    policyId: body.policy_id ?? null,
    parentAgentId: body.parent_agent_id?.toLowerCase() ?? null,
    metadata: body.metadata ?? {},
    publicKey: provenPublicKey(body, agentId) ?? null,
  };
}
