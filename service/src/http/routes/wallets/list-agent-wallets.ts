import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import { isUuid } from "../../../foundation/ids.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { listAgentWallets, presentWallet, WalletResource } from "../../../modules/wallets/index.ts";
import type { Server } from "../../route.ts";
import { walletScopeOf } from "./wallet-key.ts";

const AgentWallets = Type.Object(
  {
    object: Type.Literal("list"),
    agent_id: Type.String({ format: "uuid" }),
    data: Type.Array(WalletResource),
  },
  { $id: "AgentWallets" },
);

export function listAgentWalletsRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/wallets/agent/:agent_id",
    config: {
      auth: "tenant",
      scope: "wallets:read",
      agentBound: "allowed",
      projectBound: "refused",
      sample: { sdk: "wallets.listOfAgent(AGENT_ID)" },
    },
    schema: {
      operationId: "listAgentWallets",
      tags: ["Wallets"],
      summary: "List an agent's wallets",
      description:
        "Returns the agent's wallets on all networks, newest first: at most one on each. Returns an empty list for an unknown agent. Fails with `agent_not_found` if the key is bound to other agents, or `X-Agent-ID` names another agent.",
      params: Type.Object({ agent_id: Type.String() }),
      response: { 200: AgentWallets, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
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
}
