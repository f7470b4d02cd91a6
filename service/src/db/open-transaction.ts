import { AsyncLocalStorage } from "node:async_hooks";

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs the work of a transaction so that `isInTransaction` is true in it until it has ended. */
export async function markTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const transaction = { isOpen: true };
  try {
    return await transactions.run(transaction, work);
  } finally {
    // What the work started and did not wait for may go on, and may ask for connections then.
    transaction.isOpen = false;
  }
}

export function isInTransaction(): boolean {
  return transactions.getStore()?.isOpen === true;
}
