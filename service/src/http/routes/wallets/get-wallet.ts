import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { getWallet, presentWallet, WalletResource } from "../../../modules/wallets/index.ts";
import type { Server } from "../../route.ts";
import { walletKeyOf } from "./wallet-key.ts";

export function getWalletRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/wallets/:wallet_id",
    config: {
      auth: "tenant",
      scope: "wallets:read",
      agentBound: "allowed",
      projectBound: "refused",
      sample: { sdk: "wallets.get(WALLET_ID)" },
    },
    schema: {
      operationId: "getWallet",
      tags: ["Wallets"],
      summary: "Get a wallet",
      description: "Returns the wallet with its balances. With `X-Agent-ID`, the wallet must belong to this agent.",
      params: Type.Object({ wallet_id: Type.String() }),
      response: { 200: WalletResource, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const wallet = await getWallet(app.db, walletKeyOf(request, request.params.wallet_id));
      return presentWallet(wallet, app.clock.now());
    },
  });
}
