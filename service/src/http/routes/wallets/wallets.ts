import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { AppError } from "../../../foundation/errors.ts";
import { isUuid } from "../../../foundation/ids.ts";
import { WALLET_STATUSES } from "../../../foundation/vocabulary.ts";
import { Clearable, NamedObject, OneOf, STORABLE_TEXT, StrictObject, Text } from "../../../foundation/wire/fields.ts";
import { requireAgent } from "../../../modules/agents/agents.ts";
import { listAgentWallets, listWallets, type WalletOverview } from "../../../modules/wallets/queries.ts";
import { presentWallet, WalletResource } from "../../../modules/wallets/wallet-resource.ts";
import { getWallet, type NewWallet } from "../../../modules/wallets/wallets.ts";
import { createWallet, requireEnabledNetwork } from "../../../workflows/wallets/create-wallet.ts";
import { agentActorOf, scopeOf } from "../../auth/principal.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { cursorPage, cursorQuery, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { MONEY_RETENTION_HOURS } from "../../money-request.ts";
import { endpoint, type Route } from "../../route.ts";
import { agentIdOf, requireOwnAgent } from "../agents/acting-agent.ts";
import { AgentId, agentFilter } from "../agents/agent-fields.ts";
import { OwnMetadata } from "../metadata-fields.ts";
import { checksumAddress, NetworkIn, requireNetwork, WalletName, walletKeyOf, walletScopeOf } from "./wallet-fields.ts";

const WalletCreateRequest = StrictObject("WalletCreateRequest", {
  agent_id: {
    ...AgentId,
    description: "The agent that owns the wallet: a UUID. An unknown id creates the agent, with the starter policy.",
  },
  network: NetworkIn,
  name: Type.Optional(Clearable(WalletName)),
  account_type: Type.Optional(OneOf(["erc4337_v0.8"], "The kind of account. Default: `erc4337_v0.8`.")),
  deploy: Type.Optional(
    OneOf(
      ["counterfactual", "immediate"],
      "When the account's contract is deployed. Default: `counterfactual`, with the first payment. With `immediate`, a live wallet is `deploying` until a final block contains its contract. In test mode no contract is deployed, and `immediate` has no effect.",
    ),
  ),
  gas: Type.Optional(OneOf(["sponsored"], "Who pays for the network. Default: `sponsored`.")),
  policy_id: Type.Optional(
    Clearable(
      Text("A policy of the same mode that applies to the wallet in addition to those that name it.", {
        maxLength: 100,
        ...STORABLE_TEXT,
      }),
    ),
  ),
  recovery_address: Type.Optional(
    Clearable(
      Text("The address that can replace a lost key after a delay, in one case or with the checksum of EIP-55.", {
        maxLength: 42,
      }),
    ),
  ),
  metadata: OwnMetadata,
});

const createWalletRoute = endpoint("POST /api/v1/svc/wallets/create", {
  operationId: "createWallet",
  sdk: "wallets.create",
  summary: "Create a wallet",
  description:
    "Creates the agent's wallet on a network: a smart account (ERC-4337) whose address is known before it is deployed. An agent has at most one wallet on each network in each mode: otherwise fails with `wallet_already_exists` and the `wallet_id`. Fails with `agent_suspended` if the agent is not active or was deleted, and with `network_not_enabled` if wallets on the network are not available. If the request has `X-Agent-ID` or its key is bound to agents, the agent's policies decide about `wallet.create`. A key that is bound to agents cannot send `policy_id` or `recovery_address`.",
  auth: "tenant",
  scope: "wallets:write",
  replayGuard: "strict",
  agentBound: "allowed",
  body: WalletCreateRequest,
  answers: { 201: WalletResource },
  errors: [
    "agent_not_found",
    "policy_not_found",
    "wallet_already_exists",
    "provider_not_configured",
    "agent_suspended",
    "network_not_enabled",
    "provider_unavailable",
    "network_unavailable",
  ],
  example: { agent_id: "AGENT_ID", network: "base" },
  run: async (app, request, reply) => {
    const { body } = request;
    const agentId = agentIdOf(request, body.agent_id);
    const wallet = newWalletOf(body, agentId);
    rejectFieldsOfDeveloper(request, wallet);
    const actor = agentActorOf(request, agentId);
    requireEnabledNetwork(app, { ...wallet, mode: actor.mode });
    const deploys = body.deploy === "immediate";
    const present = (created: WalletOverview) => presentWallet(created, created.createdAt);
    const options = { status: 201, present, retentionHours: MONEY_RETENTION_HOURS } as const;
    return replyOnce(app, request, reply, options, async (saveResponse) => {
      requireOwnAgent(request, agentId);
      return createWallet(app, { actor, wallet, deploys }, saveResponse);
    });
  },
});

/**
 * Throws `insufficient_scope` if a key that is bound to agents names a policy or a recovery address. The starter policy does
 * not apply to a wallet that names another policy, so an agent could choose what it may pay. The recovery address could take
 * the wallet over after the agent was stopped.
 */
function rejectFieldsOfDeveloper(request: FastifyRequest, wallet: NewWallet): void {
  if (scopeOf(request).agentIds.length === 0) return;
  const { policyId, recoveryAddress } = wallet;
  const field = (policyId !== null && "policy_id") || (recoveryAddress !== null && "recovery_address");
  if (field === false) return;
  throw new AppError("insufficient_scope", {
    detail: `A key that is bound to agents cannot set ${field}. Create the wallet with a key that is not bound to agents.`,
  });
}

function newWalletOf(body: Static<typeof WalletCreateRequest>, agentId: string): NewWallet {
  const { recovery_address: recovery } = body;
  return {
    agentId,
    network: requireNetwork(body.network),
    name: body.name ?? null,
    policyId: body.policy_id ?? null,
    recoveryAddress: typeof recovery === "string" ? checksumAddress(recovery, "/body/recovery_address") : null,
    metadata: body.metadata ?? {},
  };
}

const getWalletRoute = endpoint("GET /api/v1/svc/wallets/:wallet_id", {
  operationId: "getWallet",
  sdk: "wallets.get",
  summary: "Get a wallet",
  description: "Returns the wallet with its balances. With `X-Agent-ID`, the wallet must belong to this agent.",
  auth: "tenant",
  scope: "wallets:read",
  agentBound: "allowed",
  answers: { 200: WalletResource },
  run: async (app, request) => {
    const wallet = await getWallet(app.db, walletKeyOf(request, request.params.wallet_id));
    return presentWallet(wallet, app.clock.now());
  },
});

const WalletsQuery = cursorQuery({
  agent_id: agentFilter("Returns only wallets of this agent."),
  network: Type.Optional({
    ...NetworkIn,
    description: "Returns only wallets on this network: a name or CAIP-2 id.",
  }),
  status: Type.Optional(OneOf(WALLET_STATUSES, "Returns only wallets with this status.")),
});

const listWalletsRoute = endpoint("GET /api/v1/svc/wallets", {
  operationId: "listWallets",
  sdk: "wallets.list",
  summary: "List wallets",
  description:
    "Returns the wallets in the caller's mode, newest first. With `X-Agent-ID`, returns only the wallets of this agent. A key bound to agents gets only the wallets of these agents.",
  auth: "tenant",
  scope: "wallets:read",
  agentBound: "allowed",
  query: WalletsQuery,
  answers: { 200: cursorPage(WalletResource) },
  errors: ["agent_not_found"],
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, agent_id, network, status } = request.query;
    const scope = walletScopeOf(request);
    const named = singleHeader(request, "x-agent-id").toLowerCase();
    if (named !== "") await requireAgent(app.db, { ...scope, agentId: named });
    const page = await listWallets(app.db, scope, {
      agentId: agent_id?.toLowerCase(),
      network: network === undefined ? undefined : requireNetwork(network),
      status,
      after: decodeIdCursor(cursor, "wal"),
      limit,
    });
    const now = app.clock.now();
    return presentPage(page, (wallet) => presentWallet(wallet, now), "walletId");
  },
});

const AgentWallets = NamedObject("AgentWallets", {
  object: Type.Literal("list"),
  agent_id: Type.String({ format: "uuid" }),
  data: Type.Array(WalletResource),
});

const listAgentWalletsRoute = endpoint("GET /api/v1/svc/wallets/agent/:agent_id", {
  operationId: "listAgentWallets",
  sdk: "wallets.listOfAgent",
  summary: "List an agent's wallets",
  description:
    "Returns the agent's wallets on all networks, newest first: at most one on each. Returns an empty list for an unknown agent. Fails with `agent_not_found` if the key is bound to other agents, or `X-Agent-ID` names another agent.",
  auth: "tenant",
  scope: "wallets:read",
  agentBound: "allowed",
  answers: { 200: AgentWallets },
  errors: ["agent_not_found"],
  run: async (app, request) => {
    const agentId = request.params.agent_id.toLowerCase();
    const scope = walletScopeOf(request);
    const isReachable = scope.agentIds === null || scope.agentIds.includes(agentId);
    if (!isUuid(agentId) || !isReachable) {
      throw new AppError("agent_not_found", { internal: "malformed, or of another agent" });
    }
    const wallets = await listAgentWallets(app.db, scope, agentId);
    const now = app.clock.now();
    const data = wallets.map((wallet) => presentWallet(wallet, now));
    return { object: "list" as const, agent_id: agentId, data };
  },
});

export const walletRoutes: readonly Route[] = [
  createWalletRoute,
  listWalletsRoute,
  listAgentWalletsRoute,
  getWalletRoute,
];
