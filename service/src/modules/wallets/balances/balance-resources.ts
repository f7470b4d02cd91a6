import { type Static, Type } from "typebox";
import { EVM_NETWORKS } from "../../../foundation/money/blockchain-networks.ts";
import { formatTokenAmount } from "../../../foundation/money/token-amount.ts";
import { DecimalOut } from "../../../foundation/wire/amounts.ts";
import { Timestamp } from "../../../foundation/wire/fields.ts";
import { NamedObject } from "../../../foundation/wire/named-object.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { BalanceReading } from "./cached-balances.ts";
import type { Funding } from "./fund-wallet.ts";
import { presentBalances, TokenName, tokenNameOf, WalletBalance } from "./present-balances.ts";

export const WalletBalancesResource = NamedObject("WalletBalances", {
  object: Type.Literal("wallet_balances"),
  wallet_id: Type.String(),
  network: Type.Enum([...EVM_NETWORKS]),
  balances: Type.Array(WalletBalance),
  source: Type.Enum(["cache", "database", "chain"], {
    description: "Where the balances were read. `chain` is reserved.",
  }),
  as_of: { ...Timestamp, description: "When the balances were read from the database." },
  stale: Type.Boolean({ description: "Whether the balances may be out of date." }),
});

export function presentReading(walletId: string, reading: BalanceReading): Static<typeof WalletBalancesResource> {
  return toWire(WalletBalancesResource, reading, {
    wallet_id: walletId,
    as_of: new Date(reading.asOfMs).toISOString(),
    stale: false,
  });
}

export const WalletFundingResource = NamedObject("WalletFunding", {
  object: Type.Literal("wallet_funding"),
  funding_id: Type.String(),
  wallet_id: Type.String(),
  token: TokenName,
  amount: DecimalOut,
  balances: Type.Array(WalletBalance, { description: "The balances afterwards." }),
  mode: Type.Enum(["test"]),
  created_at: Timestamp,
});

export function presentFunding(funding: Funding): Static<typeof WalletFundingResource> {
  const { wallet, amount } = funding;
  return toWire(WalletFundingResource, funding, {
    wallet_id: wallet.walletId,
    token: tokenNameOf(amount.asset),
    amount: formatTokenAmount(amount),
    balances: presentBalances(wallet),
    mode: "test",
  });
}
