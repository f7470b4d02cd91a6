import { Type } from "typebox";
import { AppError } from "../../../foundation/errors.ts";
import { isUuid } from "../../../foundation/ids.ts";
import { WALLET_STATUSES } from "../../../foundation/vocabulary.ts";
import { NamedObject } from "../../../foundation/wire/named-object.ts";
import { requireAgent } from "../../../modules/agents/require-agent.ts";
import { listAgentWallets, listWallets } from "../../../modules/wallets/queries.ts";
import { getWallet } from "../../../modules/wallets/require-wallet.ts";
import { presentWallet, WalletResource } from "../../../modules/wallets/wallet-resource.ts";
import { singleHeader } from "../../auth/request-headers.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { NetworkIn, networkOf } from "./wallet-fields.ts";
import { walletKeyOf, walletScopeOf } from "./wallet-key.ts";

export const getWalletRoute = endpoint("GET /api/v1/svc/wallets/:wallet_id", {
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

const WalletsQuery = Type.Object(
  {
    ...CursorQuery.properties,
    agent_id: Type.Optional(
      Type.String({
        format: "uuid",
        maxLength: 36,
        description: "Returns only wallets of this agent.",
      }),
    ),
    network: Type.Optional({
      ...NetworkIn,
      description: "Returns only wallets on this network: a name or CAIP-2 id.",
    }),
    status: Type.Optional(Type.Enum([...WALLET_STATUSES], { description: "Returns only wallets with this status." })),
  },
  { additionalProperties: false },
);

export const listWalletsRoute = endpoint("GET /api/v1/svc/wallets", {
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
      network: network === undefined ? undefined : networkOf(network),
      status,
      after: decodeIdCursor(cursor, "wal"),
      limit,
    });
    const now = app.clock.now();
    return presentPage(
      page,
      (wallet) => presentWallet(wallet, now),
      ({ walletId }) => walletId,
    );
  },
});

const AgentWallets = NamedObject("AgentWallets", {
  object: Type.Literal("list"),
  agent_id: Type.String({ format: "uuid" }),
  data: Type.Array(WalletResource),
});

export const listAgentWalletsRoute = endpoint("GET /api/v1/svc/wallets/agent/:agent_id", {
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
