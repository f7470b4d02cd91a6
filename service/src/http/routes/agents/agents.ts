import { type Static, Type } from "typebox";
import { limitCostlyRead } from "../../../call-limits/count-call.ts";
import { Clearable, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { AgentResource, presentAgent } from "../../../modules/agents/agent-resource.ts";
import { getAgent } from "../../../modules/agents/agents.ts";
import { createAgent, type NewAgent } from "../../../modules/agents/create-agent.ts";
import { type AgentOverview, listAgents } from "../../../modules/agents/queries.ts";
import { type AgentChange, updateAgent } from "../../../modules/agents/update-agent.ts";
import { AgentBudgetsResource, readAgentBudgets } from "../../../workflows/agents/agent-budgets.ts";
import { deleteAgent, readAgentBudget } from "../../../workflows/agents/agents.ts";
import { actorOf, mayDecideApprovals, principalOf, scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodePosition, LIMIT_DEFAULT, positionName, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { agentKeyOf } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { futureTime } from "../developers/fields.ts";
import { MetadataChange, OwnMetadata } from "../metadata-fields.ts";
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
  metadata: OwnMetadata,
});

const createAgentRoute = endpoint("POST /api/v1/svc/agents", {
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

const getAgentRoute = endpoint("GET /api/v1/svc/agents/:agent_id", {
  operationId: "getAgent",
  sdk: "agents.get",
  summary: "Get an agent",
  description: "Returns the agent. Fails with `agent_not_found` if it is deleted.",
  auth: "tenant",
  scope: "agents:read",
  agentBound: "allowed",
  projectBound: "allowed",
  answers: { 200: AgentResource },
  errors: ["agent_not_found"],
  run: async (app, request) => {
    const key = agentKeyOf(request, request.params.agent_id);
    const agent = await getAgent(app.db, key);
    return presentAgent(agent, app.clock.now(), await readAgentBudget(app, agent));
  },
});

const getAgentBudgetsRoute = endpoint("GET /api/v1/svc/agents/:agent_id/budgets", {
  operationId: "getAgentBudgets",
  sdk: "agents.budgets",
  summary: "Get the budgets of an agent",
  description:
    "Returns every budget that limits the agent now, with what is spent, reserved and left of it: the limits of the policies of the agent, of its ancestors, and of its wallets and projects, and the caps of its projects. A key that is bound to agents can read only these. Fails with `agent_not_found`, and with `conflict` if the policies are too large to decide.",
  auth: "tenant",
  scope: "agents:read",
  agentBound: "allowed",
  projectBound: "allowed",
  answers: { 200: AgentBudgetsResource },
  errors: ["agent_not_found", "conflict", "rate_limited"],
  run: async (app, request) => {
    const principal = principalOf(request);
    const isAgent = principal.kind === "api_key" && principal.agentIds.length > 0;
    // Counted apart: agents that read without end must not hide the budgets from a person who decides.
    await limitCostlyRead(app, isAgent ? "own-budgets" : "agent-budgets", principal.tenantId);
    return readAgentBudgets(app, agentKeyOf(request, request.params.agent_id));
  },
});

const AGENT_ID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const listAgentsRoute = endpoint("GET /api/v1/svc/agents", {
  operationId: "listAgents",
  sdk: "agents.list",
  summary: "List agents",
  description:
    "Returns the agents in the caller's mode, newest first. Deleted agents are not included. A key bound to agents gets only these, and a key bound only to projects gets the agents that can use them.",
  auth: "tenant",
  scope: "agents:read",
  agentBound: "allowed",
  projectBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(AgentResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodePosition(cursor, AGENT_ID_FORM);
    const page = await listAgents(app.db, scopeOf(request), {
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

const AgentUpdateRequest = StrictObject("AgentUpdateRequest", {
  name: Type.Optional(AgentName),
  ...agentFields,
  metadata: MetadataChange,
  external_token: Type.Optional(
    Clearable(
      Text(
        "A JWT of a supported issuer about the agent, which gives the level `attested` until the token expires. `sub` must be `{mode}/{developer_id}/{agent_id}`; or `sub` or `agent_id` the agent's id, `owner` the `developer_id` and `mode` the mode. Each `jti` is accepted once. `aud` must be this server's URL, and `exp` at most one year ahead. Algorithms: ES256, EdDSA, RS256. `null` removes the stored token.",
        { maxLength: 8192, pattern: "^[A-Za-z0-9_.-]*$" },
      ),
    ),
  ),
});

const updateAgentRoute = endpoint("PATCH /api/v1/svc/agents/:agent_id", {
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

const deleteAgentRoute = endpoint("DELETE /api/v1/svc/agents/:agent_id", {
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

export const agentRoutes: readonly Route[] = [
  createAgentRoute,
  listAgentsRoute,
  getAgentRoute,
  getAgentBudgetsRoute,
  updateAgentRoute,
  deleteAgentRoute,
];
