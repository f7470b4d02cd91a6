import { type Static, Type } from "typebox";
import { invalidField } from "../../../foundation/errors.ts";
import { ASSETS, type Asset } from "../../../foundation/money/assets.ts";
import { parseTokenAmount, type TokenAmount } from "../../../foundation/money/token-amount.ts";
import { PositiveDecimalIn } from "../../../foundation/wire/amounts.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import { presentFunding, WalletFundingResource } from "../../../modules/wallets/balances/balance-resources.ts";
import { fundWallet } from "../../../modules/wallets/balances/fund-wallet.ts";
import { TokenName } from "../../../modules/wallets/balances/present-balances.ts";
import { agentActorOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { walletKeyOf } from "./wallet-key.ts";

/** The most that one call adds, in whole tokens. */
const TOKENS_MAX = 10_000n;

const WalletFundRequest = StrictObject("WalletFundRequest", {
  amount: {
    ...PositiveDecimalIn,
    description: "The amount to add, greater than zero and at most 10,000. Never rounded.",
  },
  token: Type.Optional({ ...TokenName, description: "The token to add. Default: `USDC`." }),
});

export const fundWalletRoute = endpoint("POST /api/v1/svc/wallets/:wallet_id/fund", {
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
