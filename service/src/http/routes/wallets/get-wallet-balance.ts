import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError } from "../../../foundation/errors.ts";
import { presentReading, WalletBalancesResource } from "../../../modules/wallets/balances/balance-resources.ts";
import { readBalances, readCachedBalances } from "../../../modules/wallets/balances/cached-balances.ts";
import type { WalletKey } from "../../../modules/wallets/queries.ts";
import { endpoint } from "../../route.ts";
import { walletKeyOf } from "./wallet-key.ts";

const BalanceQuery = Type.Object(
  {
    refresh: Type.Optional(
      Type.Boolean({
        description:
          "Reads the balances without the cache. In live mode that means from the chain, which fails with `network_unavailable`.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const getWalletBalanceRoute = endpoint("GET /api/v1/svc/wallets/:wallet_id/balance", {
  operationId: "getWalletBalance",
  sdk: "wallets.balance",
  summary: "Get a wallet's balance",
  description:
    "Returns the balances of the wallet, one for each token. They are cached for up to 30 seconds, and contain every change that was acknowledged before the call.",
  auth: "tenant",
  scope: "wallets:read",
  agentBound: "allowed",
  query: BalanceQuery,
  answers: { 200: WalletBalancesResource },
  run: async (app, request) => {
    const key = walletKeyOf(request, request.params.wallet_id);
    const reading = await (request.query.refresh ? refreshedBalances(app, key) : readCachedBalances(app, key));
    return presentReading(key.walletId, reading);
  },
});

async function refreshedBalances(app: App, key: WalletKey) {
  const reading = await readBalances(app, key);
  if (key.mode === "live") throw new AppError("network_unavailable");
  return reading;
}
