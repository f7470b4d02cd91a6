import type { Db, Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { WalletId } from "../../foundation/ids.ts";
import { lockAccountsWithNext } from "../../ledger/queries.ts";
import {
  findWalletOverview,
  lockWallet,
  type Wallet,
  type WalletKey,
  type WalletOverview,
  walletRowsOfAnyTenant,
} from "./queries.ts";

/** Returns the wallet with its balances. Throws `wallet_not_found` if it is not in the caller's scope. */
export async function getWallet(db: Db, key: WalletKey): Promise<WalletOverview> {
  return (await findWalletOverview(db, key)) ?? walletNotFound(key);
}

/** Locks and returns the wallet. Throws `wallet_not_found` if it is not in the caller's scope. */
export async function requireWalletLocked(tx: Tx, key: WalletKey): Promise<WalletOverview> {
  return (await lockWallet(tx, key)) ?? walletNotFound(key);
}

/**
 * Locks the wallet's ledger accounts, then the wallet, and returns it. Throws `wallet_not_found` if it is not in the
 * caller's scope.
 */
export async function requireWalletAndAccountsLocked(tx: Tx, key: WalletKey): Promise<WalletOverview> {
  const { tenantId, mode, walletId } = key;
  const accounts = { tenantId, mode, subjectType: "wallet", subjectIds: [walletId] } as const;
  await lockAccountsWithNext(tx, accounts);
  return requireWalletLocked(tx, key);
}

/** Returns the wallet with its balances after a change in this transaction, whatever the caller's scope. */
export function getChangedWallet(
  tx: Tx,
  { tenantId, mode, walletId }: Pick<Wallet, "tenantId" | "mode" | "walletId">,
): Promise<WalletOverview> {
  return getWallet(tx, { tenantId, mode, agentIds: null, walletId });
}

export function walletNotFound({ walletId }: Pick<WalletKey, "walletId">): never {
  throw new AppError("wallet_not_found", {
    internal: `the caller cannot reach wallet ${walletId} in this mode`,
  });
}

/** Returns the wallet, whichever tenant and mode it belongs to. Only for admins. Throws `wallet_not_found`. */
export async function findWalletForAdmin(db: Db, walletId: WalletId): Promise<Wallet> {
  const wallet = await walletRowsOfAnyTenant.find(db, { walletId });
  if (wallet === undefined) throw new AppError("wallet_not_found");
  return wallet;
}
