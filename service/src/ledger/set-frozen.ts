import type { Tx } from "../db/database.ts";
import type { FreezeMode } from "../foundation/vocabulary.ts";
import { type SubjectsKey, updateAccounts } from "./queries.ts";

/**
 * Freezes or unfreezes all accounts of these subjects, with the transaction's next statement or its commit. That waits for
 * moves that have locked one of the accounts. After the commit, every move reads the new value.
 */
export async function setFrozen(tx: Tx, key: SubjectsKey, frozen: FreezeMode | null): Promise<void> {
  await updateAccounts(tx, key, { frozen });
}
