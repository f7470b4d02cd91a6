import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { ASSETS, type Asset, parseTokenAmount, type TokenAmount } from "../../../foundation/money.ts";
import { Flag, PositiveDecimalIn, StrictObject } from "../../../foundation/wire/fields.ts";
import { presentActivity, WalletActivityResource } from "../../../modules/wallets/activity/activity-resource.ts";
import { listActivity } from "../../../modules/wallets/activity/queries.ts";
import { readCachedBalances, readWalletBalances } from "../../../modules/wallets/balances/cached-balances.ts";
import {
  fundWallet,
  presentFunding,
  presentReading,
  WalletBalancesResource,
  WalletFundingResource,
} from "../../../modules/wallets/balances/fund-wallet.ts";
import { TokenName } from "../../../modules/wallets/balances/present-balances.ts";
import type { WalletKey } from "../../../modules/wallets/queries.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodePosition, LIMIT_DEFAULT, positionName, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint, type Route } from "../../route.ts";
import { walletKeyOf } from "./wallet-fields.ts";

const BalanceQuery = Type.Object(
  {
    refresh: Type.Optional(
      Flag(
        "Reads the balances without the cache. In live mode that means from the chain: fails with `network_unavailable` if it does not answer.",
      ),
    ),
  },
  { additionalProperties: false },
);

const getWalletBalanceRoute = endpoint("GET /api/v1/svc/wallets/:wallet_id/balance", {
  operationId: "getWalletBalance",
  sdk: "wallets.balance",
  summary: "Get a wallet's balance",
  description:
    "Returns the balances of the wallet, one for each token. They are cached for up to 30 seconds, and contain every change that was acknowledged before the call. The totals of a live wallet are those of the newest block of its network when they were read. A deposit is part of `total` at once, and of `available` once it is final.",
  auth: "tenant",
  scope: "wallets:read",
  agentBound: "allowed",
  query: BalanceQuery,
  answers: { 200: WalletBalancesResource },
  errors: ["network_unavailable"],
  run: async (app, request) => {
    const key = walletKeyOf(request, request.params.wallet_id);
    const reading = await (request.query.refresh ? refreshedBalances(app, key) : readCachedBalances(app, key));
    return presentReading(key.walletId, reading);
  },
});

async function refreshedBalances(app: App, key: WalletKey) {
  const reading = await readWalletBalances(app, key);
  if (reading.stale) throw new AppError("network_unavailable");
  return reading;
}

/** The most that one call adds, in whole tokens. */
const TOKENS_MAX = 10_000n;

const WalletFundRequest = StrictObject("WalletFundRequest", {
  amount: {
    ...PositiveDecimalIn,
    description: "The amount to add, greater than zero and at most 10,000. Never rounded.",
  },
  token: Type.Optional({ ...TokenName, description: "The token to add. Default: `USDC`." }),
});

const fundWalletRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/fund", {
  operationId: "fundWallet",
  sdk: "wallets.fund",
  summary: "Fund a test wallet",
  description:
    "Adds test tokens to a test wallet. No blockchain is involved. Fails with `live_wallet` in live mode, and for a live wallet of the account. Fails with `wallet_frozen` if the wallet is frozen with mode `full`.",
  auth: "tenant",
  scope: "wallets:write",
  replayGuard: "strict",
  agentBound: "allowed",
  testOnly: true,
  body: WalletFundRequest,
  answers: { 200: WalletFundingResource },
  errors: ["live_wallet", "wallet_frozen"],
  example: { amount: "100.00" },
  run: async (app, request, reply) => {
    const amount = amountOf(request.body);
    const options = { status: 200, present: presentFunding } as const;
    return replyOnce(app, request, reply, options, async (saveResponse) => {
      const command = {
        key: walletKeyOf(request, request.params.wallet_id),
        actorOf: (agentId: string) => agentActorOf(request, agentId),
        amount,
      };
      return fundWallet(app, command, saveResponse);
    });
  },
});

function amountOf({ amount, token = "USDC" }: Static<typeof WalletFundRequest>): TokenAmount {
  const asset = token.toLowerCase() as Asset;
  const parsed = parseTokenAmount(amount, asset);
  const { decimals } = ASSETS[asset];
  if (parsed === undefined) {
    throw invalidField("/body/amount", "decimals", `must have at most ${decimals} decimals`);
  }
  if (parsed.baseUnits > 0n && parsed.baseUnits <= TOKENS_MAX * 10n ** BigInt(decimals)) {
    return parsed;
  }
  const detail = `must be greater than zero and at most ${TOKENS_MAX}`;
  throw invalidField("/body/amount", "range", detail);
}

/** The items are rows of several tables. */
const ITEM_ID_FORM = /^(?:fund|dep|pay|ltr|frz)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const listWalletActivityRoute = endpoint("GET /api/v1/svc/wallets/:wallet_id/activity", {
  operationId: "listWalletActivity",
  sdk: "wallets.activity",
  summary: "List a wallet's activity",
  description:
    "Returns the deposits, payments, refunds and freezes of the wallet, newest first. A payment between two wallets of the account is a payment of the one and a deposit of the other.",
  auth: "tenant",
  scope: "wallets:read",
  agentBound: "allowed",
  query: CursorQuery,
  answers: { 200: cursorPage(WalletActivityResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const key = walletKeyOf(request, request.params.wallet_id);
    const after = decodePosition(cursor, ITEM_ID_FORM);
    const page = await listActivity(app.db, key, {
      at: app.clock.now(),
      after: after && { createdAt: after.at, id: after.id },
      limit,
    });
    return presentPage(
      page,
      (activity) => presentActivity(key.walletId, activity),
      ({ createdAt, id }) => positionName(createdAt, id),
    );
  },
});

export const walletBalanceRoutes: readonly Route[] = [getWalletBalanceRoute, listWalletActivityRoute, fundWalletRoute];
