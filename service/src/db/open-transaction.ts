import { AsyncLocalStorage } from "node:async_hooks";

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the work of a transaction. `isInTransaction` is true in it until it ends. */
export async function markTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const transaction = { isOpen: true };
  try {
    return await transactions.run(transaction, work);
  } finally {
    // Work that was started and not awaited may continue and ask for connections.
    transaction.isOpen = false;
  }
}

export function isInTransaction(): boolean {
  return transactions.getStore()?.isOpen === true;
}
