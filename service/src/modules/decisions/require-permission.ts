import type { ReservationCause } from "../../budgets/budget.ts";
import { settleReservation } from "../../budgets/queries.ts";
import { reserveBudgets } from "../../budgets/reserve-budgets.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { usdMicros } from "../../foundation/money/usd-micros.ts";
import { limitRefusal, type PolicyLimit } from "../policies/policy-limits.ts";
import { type AskedOperation, type DecidedOperation, decideOperation } from "./decide-operation.ts";
import { readDecisionFacts } from "./decision-facts.ts";
import { type DecisionQuery, lockPolicyRevision, policyDecisionRows } from "./queries.ts";

/** An operation that costs nothing, and for which no approval can be requested. */
export interface FreeOperation extends Omit<AskedOperation, "approved">, Pick<DecisionQuery, "projectId"> {
  readonly cause: Omit<ReservationCause, "mode">;
  /** Says what to do instead if a policy requires an approval. */
  readonly approvalDetail: string;
}

/**
 * Throws `agent_not_found`, `agent_suspended`, `kya_required` or `policy_denied` if the agent must not do this. Otherwise
 * records the decision, and counts the operation in the limits of the policies.
 */
export async function requirePermission(tx: Tx, { cause, approvalDetail, ...operation }: FreeOperation): Promise<void> {
  const { mode, at } = operation;
  const asked = { ...operation, walletId: null, approved: [] };
  const { refusal, asking, limits, row } = await decideInTransaction(tx, asked);
  if (refusal !== undefined) throw refusal;
  if (asking !== undefined) throw new AppError("policy_denied", { detail: approvalDetail });
  if (row !== undefined) await policyDecisionRows.insert(tx, row);
  await countInLimits(tx, { ...cause, mode, limits, at });
}

/** The operation costs nothing, so only limits that count operations can refuse it. */
async function countInLimits(
  tx: Tx,
  { limits, at, ...cause }: ReservationCause & { readonly limits: readonly PolicyLimit[]; readonly at: Date },
): Promise<void> {
  if (limits.length === 0) return;
  const [reservationId, free] = [newId("rsv"), usdMicros(0n)];
  const outcome = await reserveBudgets(tx, {
    ...cause,
    ...{ reservationId, amountMicros: free, budgets: limits, at, recordedAt: at },
  });
  invariant(outcome.outcome !== "not_opened", "limits are not opened");
  if (outcome.outcome === "refused") throw limitRefusal(limits, outcome);
  await settleReservation(tx, { reservationId, committedMicros: free, at });
}

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
