import type { Db } from "../db/database.ts";
import { AppError } from "../foundation/errors.ts";
import { chainPendingEntries } from "./link-pending.ts";
import type { ChainKey } from "./queries.ts";

/**
 * Links what is pending, so that what is read next has all that was committed. A chain that somebody has changed may take
 * no more links, and can be read all the same: why it does not is for its verification to find.
 *
 * @returns why it took none, if it did not
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
