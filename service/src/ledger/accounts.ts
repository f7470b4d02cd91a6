import type { Db, Tx } from "../db/database.ts";
import { type LedgerAccountId, newId } from "../foundation/ids.ts";
import { ASSETS, type Asset, type TokenAmount } from "../foundation/money.ts";
import {
  type AccountRow,
  type AccountsKey,
  insertMissingAccounts,
  listAccountsOfKind,
  listLedgerAccounts,
  type SubjectsKey,
} from "./queries.ts";

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

interface Balance extends Pick<AccountRow, "accountId" | "kind" | "subjectId" | "frozen" | "stopped"> {
  readonly total: TokenAmount;
  readonly held: TokenAmount;
  /** `total` minus `held`. */
  readonly available: TokenAmount;
}

/** Returns the balances of all accounts of these subjects. The amounts of clearing accounts are always zero. */
export async function readBalances(db: Db, key: SubjectsKey): Promise<readonly Balance[]> {
  const accounts = await listLedgerAccounts(db, key);
  return accounts.map(({ accountId, kind, subjectId, asset, posted, held, frozen, stopped }) => ({
    accountId,
    kind,
    subjectId,
    frozen,
    stopped,
    total: { asset, baseUnits: posted },
    held: { asset, baseUnits: held },
    available: { asset, baseUnits: posted - held },
  }));
}
