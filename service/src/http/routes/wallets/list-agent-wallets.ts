import { Type } from "typebox";
import { AppError } from "../../../foundation/errors.ts";
import { isUuid } from "../../../foundation/ids.ts";
import { listAgentWallets } from "../../../modules/wallets/queries.ts";
import { presentWallet, WalletResource } from "../../../modules/wallets/wallet-resource.ts";
import { endpoint } from "../../route.ts";
import { walletScopeOf } from "./wallet-key.ts";

const AgentWallets = Type.Object(
  {
    object: Type.Literal("list"),
    agent_id: Type.String({ format: "uuid" }),
    data: Type.Array(WalletResource),
  },
  { $id: "AgentWallets" },
);

export const listAgentWalletsRoute = endpoint("GET /api/v1/svc/wallets/agent/:agent_id", {
  config: {
    auth: "tenant",
    scope: "wallets:read",
    agentBound: "allowed",
    sample: { sdk: "wallets.listOfAgent(AGENT_ID)" },
  },
  schema: {
    operationId: "listAgentWallets",
    summary: "List an agent's wallets",
    description:
      "Returns the agent's wallets on all networks, newest first: at most one on each. Returns an empty list for an unknown agent. Fails with `agent_not_found` if the key is bound to other agents, or `X-Agent-ID` names another agent.",
    response: { 200: AgentWallets },
  },
  handler: async (app, request) => {
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
