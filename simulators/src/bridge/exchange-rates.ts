import { Type } from "typebox";
import { bridgeRoute, closed } from "./bridge-route.ts";

/** What a US dollar is worth. */
const RATES = {
  eur: { midmarket_rate: "0.92", buy_rate: "0.9154", sell_rate: "0.9246" },
  mxn: { midmarket_rate: "18.4", buy_rate: "18.308", sell_rate: "18.492" },
  brl: { midmarket_rate: "5.4", buy_rate: "5.373", sell_rate: "5.427" },
  gbp: { midmarket_rate: "0.79", buy_rate: "0.78605", sell_rate: "0.79395" },
};

export const exchangeRateRoute = bridgeRoute({
  operation: "getExchangeRate",
  method: "GET",
  url: "/v0/exchange_rates",
  query: closed({ from: Type.Literal("usd"), to: Type.Enum(["eur", "mxn", "brl", "gbp"]) }),
  handle: async ({ query, now }) => ({ status: 200, body: { ...RATES[query.to], updated_at: now().toISOString() } }),
});
