import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { chainPendingEntries } from "./chain-pending-entries.ts";
import type { ChainKey } from "./queries.ts";

/**
 * Adds the pending entries to the chain, so that the next read returns every committed entry. Adding entries can fail
 * if the chain was tampered with. The error is then returned and not thrown, because the caller can still read or
 * verify the chain.
 *
 * @returns the error if the entries could not be added
 */
export async function chainEntriesIfPossible(db: Db, key: ChainKey): Promise<unknown> {
  try {
    await chainPendingEntries(db, key);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return error;
  }
}
