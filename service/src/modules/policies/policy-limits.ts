import type { NewBudget, ReservationCause } from "../../budgets/budget.ts";
import { type BudgetRefusal, reserveBudgets } from "../../budgets/reserve-budgets.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, type PolicyId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { type UsdMicros, usdMicros } from "../../foundation/money.ts";
import { presentRefusal, refusalDetail } from "./evaluation-resource.ts";
import type { WindowLimit } from "./rules/compiled-policy.ts";
import type { PolicyDecision } from "./rules/decide.ts";

/** The budget of a policy's limit. */
export interface PolicyLimit extends NewBudget {
  readonly policyId: PolicyId;
  readonly policyVersion: number;
  readonly ruleId: string;
  readonly kind: WindowLimit["kind"];
}

/** A policy, and the agent in whose name it applies: the agent that acts, or an ancestor. */
interface PolicyOfMember {
  readonly policyId: PolicyId;
  readonly version: number;
  readonly memberId: string | null;
}

/** Returns the budget of a limit: one for each agent, or one for all agents of the policy if the limit is shared. */
export function policyLimitOf(
  { policyId, version, memberId }: PolicyOfMember,
  { ruleId, kind, period, max, isShared }: WindowLimit,
): PolicyLimit {
  return {
    subjectType: isShared ? "policy_rule" : "agent_rule",
    subjectId: isShared ? policyId : (memberId ?? ""),
    // A later version of the policy can use the id of the rule for another kind or period, which counts anew.
    name: [policyId, ruleId, kind, period].join(":"),
    period,
    limitMicros: null,
    maxMicros: usdMicros(max),
    ...(kind === "count" && { countedMicros: usdMicros(1n) }),
    ...{ policyId, policyVersion: version, ruleId, kind },
  };
}

interface ReserveLimits {
  readonly cause: ReservationCause;
  readonly amountMicros: UsdMicros;
  readonly limits: readonly NewBudget[];
  readonly at: Date;
}

/**
 * Reserves an amount that counts in no cap in the limits of policies. Returns the id of the reservation, or the first limit
 * that is too small. Undefined if there are no limits.
 */
export async function reserveLimits(
  tx: Tx,
  { cause, amountMicros, limits, at }: ReserveLimits,
): Promise<string | BudgetRefusal | undefined> {
  if (limits.length === 0) return undefined;
  const reservationId = newId("rsv");
  const outcome = await reserveBudgets(tx, {
    ...{ ...cause, reservationId, amountMicros, budgets: limits },
    ...{ at, recordedAt: at },
  });
  invariant(outcome.outcome !== "not_opened", "limits are not opened");
  return outcome.outcome === "refused" ? outcome : reservationId;
}

/**
 * Returns the error for an amount or an operation that exceeds one of the limits. Undefined if the refusal is about another
 * budget.
 */
export function limitRefusal(
  limits: readonly PolicyLimit[],
  { budget, limitMicros, usedMicros, resetsAt }: BudgetRefusal,
): AppError | undefined {
  const exceeded = limits.find((each) => each === budget);
  if (exceeded === undefined) return undefined;
  const { policyId, policyVersion, ruleId, kind } = exceeded;
  const [limit, used] = [limitMicros, usedMicros];
  const remaining = used < limit ? limit - used : 0n;
  const refusal: PolicyDecision = {
    ...{ outcome: "deny", policyId, policyVersion, ruleId, approvalRules: [], windowLimits: [] },
    ...{ exceeded: { kind, limit, used, remaining }, kya: undefined },
  };
  const decision = presentRefusal(refusal, resetsAt);
  return new AppError("policy_denied", {
    detail: refusalDetail(refusal),
    ...(decision !== null && { decision }),
  });
}
