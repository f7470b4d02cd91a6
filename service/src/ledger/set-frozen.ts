import type { Tx } from "../db/database.ts";
import type { FreezeMode } from "../foundation/vocabulary.ts";
import { type SubjectsKey, updateAccounts } from "./queries.ts";

/**
 * Freezes or unfreezes all accounts of these subjects. The call waits for moves that have locked one of the accounts.
 * After the commit, every move reads the new value.
 *
 * @returns the number of accounts
 */
export async function setFrozen(
  tx: Tx,
  key: SubjectsKey,
  frozen: FreezeMode | null,
): Promise<number> {
  return updateAccounts(tx, key, { frozen });
}
