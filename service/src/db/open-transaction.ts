import { AsyncLocalStorage } from "node:async_hooks";

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the work of a transaction. Until the work ends, `isInTransaction` returns true for the code that it calls. */
export async function markTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const transaction = { isOpen: true };
  try {
    return await transactions.run(transaction, work);
  } finally {
    // Work that was started without being awaited may continue after the transaction and request connections.
    transaction.isOpen = false;
  }
}

export function isInTransaction(): boolean {
  return transactions.getStore()?.isOpen === true;
}
