import type { Db } from "../db/database.ts";
import type { TokenAmount } from "../foundation/money/token-amount.ts";
import { type AccountRow, listAccounts, type SubjectsKey } from "./queries.ts";

export interface Balance extends Pick<AccountRow, "accountId" | "kind" | "subjectId" | "frozen" | "stopped"> {
  readonly total: TokenAmount;
  readonly held: TokenAmount;
  /** `total` minus `held`. */
  readonly available: TokenAmount;
}

/** Returns the balances of all accounts of these subjects. The amounts of clearing accounts are always zero. */
export async function readBalances(db: Db, key: SubjectsKey): Promise<readonly Balance[]> {
  const accounts = await listAccounts(db, key);
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
