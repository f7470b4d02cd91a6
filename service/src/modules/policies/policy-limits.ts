import type { NewBudget } from "../../budgets/budget.ts";
import type { BudgetRefusal } from "../../budgets/reserve-budgets.ts";
import { AppError } from "../../foundation/errors.ts";
import type { PolicyId } from "../../foundation/ids.ts";
import { usdMicros } from "../../foundation/money.ts";
import { presentRefusal } from "./evaluation-resource.ts";
import type { WindowLimit } from "./rules/compiled-policy.ts";

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
  const decision = presentRefusal(
    {
      ...{ outcome: "deny", policyId, policyVersion, ruleId, approvalRules: [], windowLimits: [] },
      ...{ exceeded: { kind, limit, used, remaining }, kya: undefined },
    },
    resetsAt,
  );
  return new AppError("policy_denied", {
    detail: `The rule ${ruleId} of the policy ${policyId} would be exceeded.`,
    ...(decision !== null && { decision }),
  });
}
