import type { Tx } from "../../db/database.ts";
import { type AskedOperation, type DecidedOperation, decideOperation } from "./decide-operation.ts";
import { readDecisionFacts } from "./decision-facts.ts";
import { type DecisionQuery, lockPolicyRevision } from "./queries.ts";

/**
 * Decides an operation outside a money request. No policy changes until the transaction ends. Throws `agent_not_found`.
 */
export async function decideInTransaction(
  tx: Tx,
  operation: AskedOperation & Pick<DecisionQuery, "walletId" | "projectId">,
): Promise<DecidedOperation> {
  await lockPolicyRevision(tx, operation);
  return decideOperation(await readDecisionFacts(tx, operation), operation);
}
