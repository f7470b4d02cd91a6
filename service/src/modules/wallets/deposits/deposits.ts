import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { type BlockchainNetwork, usdcOf } from "../../../foundation/blockchain-networks.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { formatTokenAmount } from "../../../foundation/money.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { moveMoney } from "../../../ledger/move-money.ts";
import type { EvmNetwork, TokenTransfer } from "../../../ports/evm-network.ts";
import { forgetBalances } from "../balances/cached-balances.ts";
import { getChangedWallet, recordWalletChange } from "../wallets.ts";
import {
  claimDeposit,
  deletePendingDeposits,
  deleteReplacedDeposit,
  listPendingDeposits,
  listWatchedWallets,
  tenantsWithPendingDeposits,
  upsertPendingDeposits,
  type WatchedWallet,
} from "./queries.ts";

const WALLETS_MAX = 500;
const DEPOSITS_MAX = 1_000;
/** How many deposits are credited at the same time. */
const CONCURRENT_MAX = 2;

type DepositApp = Pick<App, "db" | "clock" | "log" | "fastState">;

/**
 * Records the transfers of USDC to live wallets in these blocks as pending deposits. Can be repeated. `isKnownBlock` says whether
 * a transfer is in a block of the chain that was read. Returns false if one is not, because the chain changed meanwhile.
 */
export async function recordDeposits(
  app: DepositApp,
  chain: EvmNetwork,
  blocks: { readonly from: bigint; readonly to: bigint },
  isKnownBlock: (transfer: TokenTransfer) => boolean,
): Promise<boolean> {
  for (let after: string | undefined; ; ) {
    const wallets = await listWatchedWallets(app.db, chain.network, { after, limit: WALLETS_MAX });
    after = wallets.at(-1)?.walletId;
    if (after === undefined) return true;
    const addresses = wallets.map(({ address }) => address);
    const transfers = await chain.readTransfers(usdcOf(chain.network), addresses, blocks);
    if (!transfers.every(isKnownBlock)) return false;
    await insertDeposits(app, chain.network, wallets, transfers);
  }
}

async function insertDeposits(
  { db, clock }: DepositApp,
  network: BlockchainNetwork,
  wallets: readonly WatchedWallet[],
  transfers: readonly TokenTransfer[],
): Promise<void> {
  const at = clock.now();
  const byAddress = new Map(wallets.map((wallet) => [wallet.address.toLowerCase(), wallet]));
  const deposits = transfers.flatMap(({ from, to, amount, ...place }) => {
    const wallet = byAddress.get(to);
    if (wallet === undefined || amount === 0n) return [];
    const known = { mode: "live", asset: "usdc", status: "pending" } as const;
    const ids = { tenantId: wallet.tenantId, depositId: newId("dep"), walletId: wallet.walletId };
    return [{ ...place, ...known, ...ids, network, sender: from, baseUnits: amount, createdAt: at }];
  });
  for (const [tenantId, rows] of Map.groupBy(deposits, (deposit) => deposit.tenantId)) {
    await withTransaction(db, tenantId, (tx) => upsertPendingDeposits(tx, rows));
  }
}

/** Deletes the pending deposits in blocks that the chain has replaced: those after `afterBlock`. */
export async function rewindDeposits(
  { db }: Pick<App, "db">,
  network: BlockchainNetwork,
  afterBlock: bigint,
): Promise<void> {
  for (const tenantId of await tenantsWithPendingDeposits(db, network, afterBlock)) {
    await withTransaction(db, tenantId, (tx) => deletePendingDeposits(tx, { tenantId, network, afterBlock }));
  }
}

type PendingDeposit = Awaited<ReturnType<typeof listPendingDeposits>>[number];

/**
 * Credits the pending deposits up to a final block that all nodes report, and deletes those in blocks that the chain has
 * replaced. If the nodes differ, the deposit stays pending. Throws `VendorError` if a node does not answer.
 */
export async function confirmDeposits(app: DepositApp, chain: EvmNetwork, finalBlock: bigint): Promise<void> {
  const { network } = chain;
  const pending = await listPendingDeposits(app.db, network, { toBlock: finalBlock, limit: DEPOSITS_MAX });
  for (const [hash, deposits] of Map.groupBy(pending, ({ blockHash }) => blockHash)) {
    const addresses = [...new Set(deposits.map(({ address }) => address))];
    const number = deposits[0]?.blockNumber ?? finalBlock;
    const found = await chain.confirmTransfers(usdcOf(network), addresses, { number, hash });
    if (found.outcome === "replaced") for (const deposit of deposits) await deleteDeposit(app, deposit);
    if (found.outcome === "agreed") await confirmThose(app, deposits, found.transfers);
  }
}

async function confirmThose(
  app: DepositApp,
  deposits: readonly PendingDeposit[],
  transfers: readonly TokenTransfer[],
): Promise<void> {
  const found = new Set(transfers.map(identityOf));
  const confirmed = deposits.filter((deposit) => {
    const { address: to, sender: from, baseUnits: amount } = deposit;
    return found.has(identityOf({ ...deposit, to, from, amount }));
  });
  const next = confirmed.values();
  const confirmNext = () => tryEach(next, (deposit) => confirmDeposit(app, deposit));
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, confirmNext));
}

function identityOf({
  transactionHash,
  logIndex,
  from,
  to,
  amount,
}: Pick<TokenTransfer, "transactionHash" | "logIndex" | "from" | "to" | "amount">): string {
  return `${transactionHash} ${logIndex} ${from} ${to.toLowerCase()} ${amount}`;
}

async function deleteDeposit({ db }: DepositApp, { tenantId, depositId, blockHash }: PendingDeposit): Promise<void> {
  await withTransaction(db, tenantId, (tx) => deleteReplacedDeposit(tx, { tenantId, depositId, blockHash }));
}

/** Credits a deposit once, also if two processes do it at the same time. */
async function confirmDeposit(app: DepositApp, deposit: PendingDeposit): Promise<void> {
  const { tenantId, depositId, walletId, mode, asset, baseUnits, transactionHash, sender } = deposit;
  const at = app.clock.now();
  const amount = { asset, baseUnits };
  const isCredited = await withTransaction(app.db, tenantId, async (tx) => {
    if (!(await claimDeposit(tx, deposit, at))) return false;
    const moved = await moveMoney(tx, {
      ...{ kind: "direct", mode, amount, at, ignoresFreeze: true, cause: { type: "deposit", id: depositId } },
      debitAccountId: deposit.externalAccountId,
      creditAccountId: deposit.walletAccountId,
    });
    invariant(moved.outcome === "done", `what is on the chain is not refused: ${moved.outcome}`);
    await recordWalletChange(tx, systemActor({ tenantId, mode }), {
      action: "wallet.deposit_received",
      wallet: await getChangedWallet(tx, deposit),
      facts: {
        ...{ deposit_id: depositId, token: asset.toUpperCase(), amount: formatTokenAmount(amount) },
        ...{ transaction_hash: transactionHash, from: sender },
      },
      occurredAt: at,
    });
    return true;
  });
  if (isCredited) await forgetBalances(app, tenantId, [walletId]);
}
