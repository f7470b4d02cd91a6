import type { Db } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { WalletId } from "../../../foundation/ids.ts";
import type { Wallet } from "../queries.ts";
import { findWalletOfAnyTenant } from "./queries.ts";

/** Returns the wallet, whichever tenant and mode it belongs to. Only for admins. Throws `wallet_not_found`. */
export async function findWalletForAdmin(db: Db, walletId: WalletId): Promise<Wallet> {
  const wallet = await findWalletOfAnyTenant(db, walletId);
  if (wallet === undefined) throw new AppError("wallet_not_found");
  return wallet;
}
