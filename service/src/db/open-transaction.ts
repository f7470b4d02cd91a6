import { AsyncLocalStorage } from "node:async_hooks";

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the work of a transaction. Until `work` ends, `isInTransaction` returns true in all code that `work` calls. */
export async function markTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const transaction = { isOpen: true };
  try {
    return await transactions.run(transaction, work);
  } finally {
    // Work that was not awaited can still be running. It may now get a connection, because the transaction has ended.
    transaction.isOpen = false;
  }
}

export function isInTransaction(): boolean {
  return transactions.getStore()?.isOpen === true;
}
