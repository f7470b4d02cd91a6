import type { Tx } from "../db/database.ts";
import { type LedgerAccountId, newId } from "../foundation/ids.ts";
import { ASSETS, type Asset } from "../foundation/money/assets.ts";
import { type AccountsKey, insertMissingAccounts, listAccountsOfKind } from "./queries.ts";

/**
 * Opens the subject's accounts of this kind, one per token, and returns their ids. Accounts that exist remain
 * unchanged.
 */
export async function openAccounts(
  tx: Tx,
  key: AccountsKey,
  createdAt: Date,
): Promise<ReadonlyMap<Asset, LedgerAccountId>> {
  const accounts = (Object.keys(ASSETS) as Asset[]).map((asset) => ({
    accountId: newId("lac"),
    asset,
  }));
  await insertMissingAccounts(tx, key, { accounts, createdAt });
  const opened = await listAccountsOfKind(tx, key);
  return new Map(opened.map(({ asset, accountId }) => [asset, accountId]));
}
