import { AsyncLocalStorage } from "node:async_hooks";

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the work of a transaction. Until `work` ends, `isInTransaction` returns true in all code that `work` calls. */
export async function markTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const transaction = { isOpen: true };
  try {
    return await transactions.run(transaction, work);
  } finally {
    // Code that `work` started but did not await may still be running. After the transaction, it may open another
    // connection.
    transaction.isOpen = false;
  }
}

export function isInTransaction(): boolean {
  return transactions.getStore()?.isOpen === true;
}
