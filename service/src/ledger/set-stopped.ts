import type { Tx } from "../db/database.ts";
import { type SubjectsKey, updateAccounts } from "./queries.ts";

/**
 * Stops or resumes outgoing moves from all accounts of these subjects, because their agent is no longer active or is
 * active again. Waits like `setFrozen`.
 *
 * @returns the number of accounts
 */
export async function setStopped(tx: Tx, key: SubjectsKey, stopped: boolean): Promise<number> {
  return updateAccounts(tx, key, { stopped });
}
