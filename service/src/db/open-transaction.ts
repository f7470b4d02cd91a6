import { AsyncLocalStorage } from "node:async_hooks";

interface OpenTransaction {
  isOpen: boolean;
  readonly committed: (() => void)[];
}

const transactions = new AsyncLocalStorage<OpenTransaction>();

/**
 * Runs the work of a transaction. Until `work` ends, `isInTransaction` returns true in all code that `work` calls. What
 * this code passes to `afterCommit` is added to `committed`.
 */
export async function markTransaction<Result>(
  work: () => Promise<Result>,
  committed: (() => void)[] = [],
): Promise<Result> {
  const transaction = { isOpen: true, committed };
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

/** Calls `act` when the current transaction has committed, or at once outside of one. `act` must not throw. */
export function afterCommit(act: () => void): void {
  const transaction = transactions.getStore();
  if (transaction?.isOpen === true) transaction.committed.push(act);
  else act();
}
