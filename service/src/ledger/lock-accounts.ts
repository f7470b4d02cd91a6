import type { Tx } from "../db/database.ts";
import { sendWithNext } from "../db/transaction.ts";
import { type AccountRow, type SubjectsKey, selectForChange } from "./queries.ts";

/**
 * Locks all accounts of these subjects, except clearing accounts. Call it before locking the subjects themselves, which
 * come later in the order of locks. No money moves from or to the accounts until the transaction ends.
 */
export async function lockAccounts(tx: Tx, key: SubjectsKey): Promise<readonly AccountRow[]> {
  return selectForChange(tx, key).execute();
}

/** Like `lockAccounts`, but locks them with the transaction's next statement. */
export async function lockAccountsWithNext(tx: Tx, key: SubjectsKey): Promise<void> {
  await sendWithNext(tx, selectForChange(tx, key));
}
