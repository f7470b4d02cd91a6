import { Type } from "typebox";
import { ExchangeRateResource, getExchangeRate } from "../../../modules/fiat/exchange-rate.ts";
import { scopeOf } from "../../auth/principal.ts";
import { endpoint } from "../../route.ts";

const Currency = Type.String({ minLength: 3, maxLength: 5, pattern: "^[A-Za-z]+$" });

export const getRateRoute = endpoint("GET /api/v1/svc/fiat/rate", {
  operationId: "getRate",
  sdk: "fiat.rate",
  summary: "Get an exchange rate",
  description:
    "Returns what one unit of `source` is worth in `dest`. The pairs are `usdc`, `usdt` and `pyusd` with `usd`, and `usdc` with `eur`, `mxn`, `brl` and `gbp`, in both directions. Only `usd` can be converted; the other rates are for information. Fails with `unsupported_pair` for any other pair.",
  auth: "tenant",
  scope: "fiat:read",
  agentBound: "allowed",
  query: Type.Object(
    {
      source: Type.Optional({ ...Currency, description: "The source currency. Default: `usdc`." }),
      dest: Type.Optional({ ...Currency, description: "The destination currency. Default: `usd`." }),
    },
    { additionalProperties: false },
  ),
  answers: { 200: ExchangeRateResource },
  errors: ["unsupported_pair"],
  run: (app, request) => {
    const { source = "usdc", dest = "usd" } = request.query;
    return getExchangeRate(app, scopeOf(request), { source, dest });
  },
});
