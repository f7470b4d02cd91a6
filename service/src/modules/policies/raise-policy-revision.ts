import type { Tx } from "../../db/database.ts";
import { insertOrRaiseRevision, type PolicyOwner } from "./queries.ts";

/**
 * Makes earlier decisions about spendings of the tenant and mode invalid. Call it in the transaction of every change
 * that can alter such a decision: of a policy, an agent, or of what names a policy.
 *
 * Locks the revision until the transaction ends. A transaction that lets an object name a policy calls this before it
 * checks that the policy exists, so that the policy cannot be deleted meanwhile.
 */
export async function raisePolicyRevision(tx: Tx, owner: PolicyOwner): Promise<void> {
  await insertOrRaiseRevision(tx, owner);
}
