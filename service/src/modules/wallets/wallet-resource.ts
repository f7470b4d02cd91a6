import { type Static, Type } from "typebox";
import { EVM_NETWORKS, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import {
  DEPLOYMENT_STATUSES,
  FREEZE_MODES,
  FREEZE_REASONS,
  ONCHAIN_FREEZE_STATUSES,
  WALLET_STATUSES,
} from "../../foundation/vocabulary.ts";
import {
  ActorOut,
  Flag,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { presentBalances, WalletBalance } from "./balances/present-balances.ts";
import type { Wallet, WalletOverview } from "./queries.ts";

export const WalletFreeze = NamedObject("WalletFreeze", {
  database: Type.Object({
    frozen: Flag("Whether Purser refuses transactions of the wallet."),
  }),
  onchain: Type.Object({
    status: OneOf(ONCHAIN_FREEZE_STATUSES, "The freeze of the account's contract. `simulated` in test mode."),
    tx_hash: Nullable(Type.String()),
    block_number: Nullable(Type.Integer()),
  }),
  mode: Nullable(
    Type.Enum([...FREEZE_MODES]),
    "What is refused: outgoing transactions, or all (`full`). Null unless frozen.",
  ),
  reason: Nullable(Type.Enum([...FREEZE_REASONS])),
  note: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  frozen_by: Nullable(ActorOut, "Who froze the wallet. Null unless frozen."),
  frozen_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp, "When the freeze is due for review. It does not end by itself."),
});

export const WalletResource = NamedObject("Wallet", {
  object: Type.Literal("wallet"),
  wallet_id: Type.String({ examples: ["wal_01k3z5qexrf1xv2hj4nb9c8w7d"] }),
  mode: ModeName,
  agent_id: Type.String({ format: "uuid" }),
  name: Nullable(Type.String()),
  network: Type.Enum([...EVM_NETWORKS]),
  chain_id: Type.String({ description: "The network's CAIP-2 id.", examples: ["eip155:8453"] }),
  address: Text(
    "The address of the smart account, with the checksum of EIP-55. It can receive tokens before it is deployed.",
  ),
  account_type: Type.Enum(["erc4337_v0.8"]),
  entry_point: Text("The contract that runs the account's operations."),
  factory: Text("The contract that deploys the account."),
  salt: Text("Distinguishes accounts of one owner. Always 0."),
  owner: Text("The address of the key that signs for the account."),
  recovery_address: Nullable(Type.String(), "The address that can replace a lost key after a delay. Null for none."),
  deployment_status: OneOf(
    DEPLOYMENT_STATUSES,
    "`counterfactual`: the address is known, and its contract is not deployed yet.",
  ),
  deployment_tx: Nullable(Type.String()),
  status: Type.Enum([...WALLET_STATUSES]),
  gas: OneOf(["sponsored"], "Who pays for the network: Purser."),
  policy_id: Nullable(Type.String(), "A policy that applies to the wallet in addition to those that name it."),
  freeze: WalletFreeze,
  balances: ListOf(WalletBalance, "One balance for each token."),
  balances_as_of: Timestamp,
  metadata: Type.Record(Type.String(), Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** @param at when the balances were read */
export function presentWallet(wallet: WalletOverview, at: Date): Static<typeof WalletResource> {
  return toWire(WalletResource, wallet, {
    chain_id: networkFactsOf(wallet.network).chainId,
    gas: "sponsored",
    freeze: presentFreeze(wallet),
    balances: presentBalances(wallet),
    balances_as_of: at.toISOString(),
  });
}

/** Returns how the wallet is frozen, or that it is not. */
export function presentFreeze(wallet: Wallet): Static<typeof WalletFreeze> {
  return {
    database: { frozen: wallet.frozenAt !== null },
    onchain: {
      status: wallet.onchainFreeze,
      tx_hash: wallet.onchainFreezeTx,
      block_number: wallet.onchainFreezeBlock === null ? null : Number(wallet.onchainFreezeBlock),
    },
    mode: wallet.freezeMode,
    reason: wallet.freezeReason,
    note: wallet.freezeNote,
    reference: wallet.freezeReference,
    frozen_by: wallet.frozenBy && { type: wallet.frozenBy.type, id: wallet.frozenBy.id },
    frozen_at: wallet.frozenAt?.toISOString() ?? null,
    expires_at: wallet.freezeExpiresAt?.toISOString() ?? null,
  };
}
