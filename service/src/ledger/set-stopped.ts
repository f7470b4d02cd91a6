import type { Tx } from "../db/database.ts";
import { type SubjectsKey, updateAccounts } from "./queries.ts";

/**
 * Stops or resumes outgoing moves from all accounts of these subjects, because their agent is no longer active or is
 * active again. It is sent, and waits, like `setFrozen`.
 */
export async function setStopped(tx: Tx, key: SubjectsKey, stopped: boolean): Promise<void> {
  await updateAccounts(tx, key, { stopped });
}
