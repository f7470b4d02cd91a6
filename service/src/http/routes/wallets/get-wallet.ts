import { getWallet } from "../../../modules/wallets/require-wallet.ts";
import { presentWallet, WalletResource } from "../../../modules/wallets/wallet-resource.ts";
import { endpoint } from "../../route.ts";
import { walletKeyOf } from "./wallet-key.ts";

export const getWalletRoute = endpoint("GET /api/v1/svc/wallets/:wallet_id", {
  config: {
    auth: "tenant",
    scope: "wallets:read",
    agentBound: "allowed",
    sample: { sdk: "wallets.get(WALLET_ID)" },
  },
  schema: {
    operationId: "getWallet",
    summary: "Get a wallet",
    description: "Returns the wallet with its balances. With `X-Agent-ID`, the wallet must belong to this agent.",
    response: { 200: WalletResource },
  },
  handler: async (app, request) => {
    const wallet = await getWallet(app.db, walletKeyOf(request, request.params.wallet_id));
    return presentWallet(wallet, app.clock.now());
  },
});
