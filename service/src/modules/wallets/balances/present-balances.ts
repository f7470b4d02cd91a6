import { type Static, Type } from "typebox";
import { type BlockchainNetwork, networkFactsOf } from "../../../foundation/blockchain-networks.ts";
import { invariant } from "../../../foundation/invariant.ts";
import {
  ASSETS,
  type Asset,
  formatTokenAmount,
  formatUsdMicros,
  usdMicrosOfTokens,
} from "../../../foundation/money.ts";
import { Count, DecimalOut, NamedObject, Nullable, Text } from "../../../foundation/wire/fields.ts";
import type { WalletOverview } from "../queries.ts";

/** The tokens in the order of the API. */
const TOKENS = Object.keys(ASSETS) as Asset[];

export const TokenName = Type.Enum(["USDC", "USDT", "PYUSD", "EURC"]);

export const WalletBalance = NamedObject("WalletBalance", {
  token: TokenName,
  contract: Nullable(Type.String(), "The token's contract on the network. Null if Purser does not know it."),
  decimals: Count("One token is 10 to this power base units."),
  total: {
    ...DecimalOut,
    description: "The balance of the wallet: in `GET …/balance` of a live wallet, that on the chain.",
  },
  available: {
    ...DecimalOut,
    description:
      "What the wallet can pay: the balance in the ledger minus `held`. The ledger has a deposit once it is final.",
  },
  held: { ...DecimalOut, description: "What is held for payments that are not settled." },
  base_units: Text("`total` in the smallest unit of the token.", { pattern: "^(0|[1-9]\\d*)$" }),
  usd_value: Nullable(DecimalOut, "The value of `total` in US dollars. Null for EURC."),
});
export type WalletBalance = Static<typeof WalletBalance>;

export function tokenNameOf(asset: Asset): Static<typeof TokenName> {
  return asset.toUpperCase() as Static<typeof TokenName>;
}

/**
 * Returns the balance of each token of a wallet, from the ledger. The total of USDC is `usdcOnChain` if it is not null: the
 * chain can have a deposit that is not final, and so not in the ledger.
 */
export function presentBalances(
  { network, accounts }: Pick<WalletOverview, "network" | "accounts">,
  usdcOnChain: bigint | null = null,
): WalletBalance[] {
  return TOKENS.map((asset) => {
    const account = accounts.find((each) => each.asset === asset);
    invariant(account !== undefined, "a wallet has an account for each token");
    const total = asset === "usdc" && usdcOnChain !== null ? usdcOnChain : BigInt(account.posted);
    return presentBalance(network, asset, account, total);
  });
}

function presentBalance(
  network: BlockchainNetwork,
  asset: Asset,
  account: WalletOverview["accounts"][number],
  total: bigint,
): WalletBalance {
  const [posted, held] = [BigInt(account.posted), BigInt(account.held)];
  const format = (baseUnits: bigint) => formatTokenAmount({ asset, baseUnits });
  const usdValue = usdMicrosOfTokens({ asset, baseUnits: total });
  return {
    token: tokenNameOf(asset),
    contract: networkFactsOf(network).contracts[asset] ?? null,
    decimals: ASSETS[asset].decimals,
    total: format(total),
    available: format(posted - held),
    held: format(held),
    base_units: String(total),
    usd_value: usdValue === undefined ? null : formatUsdMicros(usdValue),
  };
}
