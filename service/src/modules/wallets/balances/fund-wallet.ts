import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { EVM_NETWORKS } from "../../../foundation/blockchain-networks.ts";
import { AppError } from "../../../foundation/errors.ts";
import { type LedgerTransferId, newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { formatTokenAmount, type TokenAmount } from "../../../foundation/money.ts";
import { DecimalOut, Flag, ListOf, NamedObject, OneOf, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { readBalances } from "../../../ledger/accounts.ts";
import { moveMoney } from "../../../ledger/move-money.ts";
import { findWalletOverview, type WalletKey, type WalletOverview, walletFundingRows } from "../queries.ts";
import { getChangedWallet, recordWalletChange, walletNotFound } from "../wallets.ts";
import { type BalanceReading, forgetBalances } from "./cached-balances.ts";
import { presentBalances, TokenName, tokenNameOf, WalletBalance } from "./present-balances.ts";

export const WalletBalancesResource = NamedObject("WalletBalances", {
  object: Type.Literal("wallet_balances"),
  wallet_id: Type.String(),
  network: Type.Enum([...EVM_NETWORKS]),
  balances: Type.Array(WalletBalance),
  source: OneOf(
    ["cache", "database", "chain"],
    "Where the balances were read: `chain` for those of live wallets, if the network answers.",
  ),
  as_of: { ...Timestamp, description: "When the balances were read." },
  stale: Flag("Whether the network of a live wallet did not answer. The totals are then those of the ledger."),
});

export function presentReading(walletId: string, reading: BalanceReading): Static<typeof WalletBalancesResource> {
  return toWire(WalletBalancesResource, reading, {
    wallet_id: walletId,
    as_of: new Date(reading.asOfMs).toISOString(),
  });
}

export const WalletFundingResource = NamedObject("WalletFunding", {
  object: Type.Literal("wallet_funding"),
  funding_id: Type.String(),
  wallet_id: Type.String(),
  token: TokenName,
  amount: DecimalOut,
  balances: ListOf(WalletBalance, "The balances afterwards."),
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

interface Funding {
  readonly fundingId: string;
  readonly wallet: WalletOverview;
  readonly amount: TokenAmount;
  readonly createdAt: Date;
}

interface FundWallet {
  readonly key: WalletKey;
  /** Returns the actor for a change of a wallet of this agent. */
  readonly actorOf: (agentId: string) => Actor;
  readonly amount: TokenAmount;
}

/**
 * Adds test tokens to a test wallet: a move in the ledger, without a call to a chain or a vendor. Throws `live_wallet` for a
 * live wallet in the caller's scope, `wallet_not_found` for any other wallet, and `wallet_frozen` if the freeze refuses
 * incoming transactions.
 */
export async function fundWallet(
  app: Pick<App, "db" | "clock" | "log" | "fastState">,
  { key, actorOf, amount }: FundWallet,
  saveResponse: SaveResponse<Funding>,
): Promise<Funding> {
  const { tenantId, walletId } = key;
  const funding = await withTransaction(app.db, tenantId, async (tx) => {
    const createdAt = app.clock.now();
    const fundingId = newId("fund");
    const { agentId } = await requireTestWallet(tx, key);
    const transferId = await moveTestTokens(tx, key, { fundingId, amount, at: createdAt });
    await walletFundingRows.insert(tx, {
      ...{ ...amount, tenantId, fundingId, walletId, mode: "test", transferId, createdAt },
    });
    const wallet = await getChangedWallet(tx, key);
    await recordWalletChange(tx, actorOf(agentId), {
      action: "wallet.deposit_received",
      wallet,
      facts: {
        funding_id: fundingId,
        token: amount.asset.toUpperCase(),
        amount: formatTokenAmount(amount),
      },
      occurredAt: createdAt,
    });
    const created = { fundingId, wallet, amount, createdAt };
    await saveResponse(tx, created);
    return created;
  });
  await forgetBalances(app, tenantId, [walletId]);
  return funding;
}

async function requireTestWallet(db: Db, key: WalletKey): Promise<WalletOverview> {
  const wallet = await findWalletOverview(db, key);
  if (wallet !== undefined) return wallet;
  const isLive = (await findWalletOverview(db, { ...key, mode: "live" })) !== undefined;
  if (isLive) throw new AppError("live_wallet");
  return walletNotFound(key);
}

async function moveTestTokens(
  tx: Tx,
  { tenantId, walletId }: WalletKey,
  { fundingId, amount, at }: { readonly fundingId: string; readonly amount: TokenAmount; readonly at: Date },
): Promise<LedgerTransferId> {
  const accountOf = async (subjectType: "wallet" | "faucet", subjectId: string) => {
    const subject = { tenantId, mode: "test", subjectType, subjectIds: [subjectId] } as const;
    const accounts = await readBalances(tx, subject);
    const account = accounts.find(({ total }) => total.asset === amount.asset);
    invariant(account !== undefined, "the accounts were opened with the wallet");
    return account.accountId;
  };
  const moved = await moveMoney(tx, {
    ...{ kind: "direct", mode: "test", amount, at, ignoresFreeze: false },
    cause: { type: "funding", id: fundingId },
    debitAccountId: await accountOf("faucet", tenantId),
    creditAccountId: await accountOf("wallet", walletId),
  });
  if (moved.outcome === "wallet_frozen") throw new AppError("wallet_frozen");
  if (moved.outcome === "amount_out_of_range") {
    throw new AppError("conflict", { detail: "The balance would have more than 38 digits." });
  }
  invariant(moved.outcome === "done", `the faucet is not limited: ${moved.outcome}`);
  return moved.transferId;
}
