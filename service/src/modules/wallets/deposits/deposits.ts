import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { pagesOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { type BlockchainNetwork, usdcOf } from "../../../foundation/blockchain-networks.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { formatTokenAmount } from "../../../foundation/money.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { moveMoney } from "../../../ledger/move-money.ts";
import type { BlockRange, EvmNetwork, TokenTransfer } from "../../../ports/evm-network.ts";
import { forgetBalances } from "../balances/cached-balances.ts";
import { getChangedWallet, recordWalletChange } from "../wallets.ts";
import {
  type Deposit,
  type DepositAccounts,
  deletePendingDeposits,
  listDepositAccounts,
  listWatchedWallets,
  tenantsWithPendingDeposits,
  upsertConfirmedDeposit,
  upsertPendingDeposits,
  type WatchedWallet,
} from "./queries.ts";

const WALLETS_MAX = 500;
const ROWS_MAX = 500;
/** How many deposits are credited at the same time. */
const CONCURRENT_MAX = 2;

type DepositApp = Pick<App, "db" | "clock" | "log" | "fastState">;
/** What the chain says about a deposit, and whose it is. */
type FoundDeposit = Omit<Deposit, "depositId" | "status" | "createdAt" | "confirmedAt">;

/** Records the transfers of USDC to live wallets in these blocks as pending deposits. Can be repeated. */
export async function recordDeposits(app: DepositApp, chain: EvmNetwork, blocks: BlockRange): Promise<void> {
  for await (const wallets of watchedWallets(app, chain.network)) {
    const transfers = await chain.readTransfers(usdcOf(chain.network), addressesOf(wallets), blocks);
    const createdAt = app.clock.now();
    const rows = depositsOf(chain.network, wallets, transfers).map(
      (deposit) => ({ ...deposit, depositId: newId("dep"), status: "pending", createdAt }) as const,
    );
    for (const [tenantId, own] of Map.groupBy(rows, (row) => row.tenantId)) {
      for (let start = 0; start < own.length; start += ROWS_MAX) {
        const some = own.slice(start, start + ROWS_MAX);
        await withTransaction(app.db, tenantId, (tx) => upsertPendingDeposits(tx, some));
      }
    }
  }
}

/**
 * Credits the transfers of USDC to live wallets in these final blocks, each once, and forgets other pending deposits in them.
 * Returns false if the nodes differ about a transfer: then some may not be credited yet. Can be repeated.
 */
export async function confirmDeposits(app: DepositApp, chain: EvmNetwork, blocks: BlockRange): Promise<boolean> {
  for await (const wallets of watchedWallets(app, chain.network)) {
    const transfers = await chain.readAgreedTransfers(usdcOf(chain.network), addressesOf(wallets), blocks);
    if (transfers === null) return false;
    const deposits = depositsOf(chain.network, wallets, transfers);
    const accounts = await listDepositAccounts(app.db, [...new Set(deposits.map(({ walletId }) => walletId))]);
    const next = deposits.values();
    const confirmNext = () => tryEach(next, (deposit) => confirmDeposit(app, deposit, accounts.get(deposit.walletId)));
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, confirmNext));
  }
  await forgetPendingDeposits(app, chain.network, { from: 0n, to: blocks.to });
  return true;
}

/** Deletes the pending deposits in these blocks. */
export async function forgetPendingDeposits(
  { db }: Pick<App, "db">,
  network: BlockchainNetwork,
  blocks: Partial<BlockRange> & Pick<BlockRange, "from">,
): Promise<void> {
  for (const tenantId of await tenantsWithPendingDeposits(db, network, blocks)) {
    await withTransaction(db, tenantId, (tx) => deletePendingDeposits(tx, { tenantId, network }, blocks));
  }
}

function watchedWallets({ db }: Pick<App, "db">, network: BlockchainNetwork) {
  return pagesOf<WatchedWallet>(
    (last) => listWatchedWallets(db, network, { after: last?.walletId, limit: WALLETS_MAX }),
    WALLETS_MAX,
  );
}

function addressesOf(wallets: readonly WatchedWallet[]): string[] {
  return wallets.map(({ address }) => address);
}

function depositsOf(
  network: BlockchainNetwork,
  wallets: readonly WatchedWallet[],
  transfers: readonly TokenTransfer[],
): FoundDeposit[] {
  const byAddress = new Map(wallets.map((wallet) => [wallet.address.toLowerCase(), wallet]));
  const counts = new Map<string, number>();
  return transfers.flatMap(({ transactionHash, blockNumber, from, to, amount }) => {
    const wallet = byAddress.get(to);
    if (wallet === undefined || amount === 0n) return [];
    const ordinal = counts.get(transactionHash + to) ?? 0;
    counts.set(transactionHash + to, ordinal + 1);
    const { tenantId, walletId } = wallet;
    const place = { network, transactionHash, ordinal, blockNumber, sender: from };
    return [{ ...place, tenantId, walletId, mode: "live", asset: "usdc", baseUnits: amount } as const];
  });
}

/** Credits a deposit once, also if two processes do it at the same time. */
async function confirmDeposit(
  app: DepositApp,
  deposit: FoundDeposit,
  accounts: DepositAccounts | undefined,
): Promise<void> {
  invariant(accounts !== undefined, "the accounts were opened with the wallet");
  const { tenantId, walletId, mode, asset, baseUnits, transactionHash, sender } = deposit;
  const at = app.clock.now();
  const amount = { asset, baseUnits };
  const isCredited = await withTransaction(app.db, tenantId, async (tx) => {
    const depositId = await upsertConfirmedDeposit(tx, {
      ...{ ...deposit, depositId: newId("dep"), status: "confirmed", createdAt: at, confirmedAt: at },
    });
    if (depositId === undefined) return false;
    const moved = await moveMoney(tx, {
      ...{ kind: "direct", mode, amount, at, ignoresFreeze: true, cause: { type: "deposit", id: depositId } },
      debitAccountId: accounts.externalAccountId,
      creditAccountId: accounts.walletAccountId,
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
