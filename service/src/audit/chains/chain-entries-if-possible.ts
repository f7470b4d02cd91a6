import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { chainPendingEntries } from "./chain-pending-entries.ts";
import type { ChainKey } from "./queries.ts";

/**
 * Links the pending entries, so that the next read returns every committed entry. A chain that was tampered with can refuse
 * new links. It can still be read, and its verification finds the cause.
 *
 * @returns the error, if the chain refused new links
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
