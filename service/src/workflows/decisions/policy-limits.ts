import type { NewBudget } from "../../budgets/budget.ts";
import type { BudgetRefusal } from "../../budgets/reserve-budgets.ts";
import { AppError } from "../../foundation/errors.ts";
import type { PolicyId } from "../../foundation/ids.ts";
import { formatUsdMicros, usdMicros } from "../../foundation/money/usd-micros.ts";
import type { WindowLimit } from "../../modules/policies/index.ts";

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
  readonly memberId: string;
}

/** Returns the budget of a limit: one for each agent, or one for all agents of the policy if the limit is shared. */
export function policyLimitOf(
  { policyId, version, memberId }: PolicyOfMember,
  { ruleId, kind, period, max, isShared }: WindowLimit,
): PolicyLimit {
  return {
    subjectType: isShared ? "policy_rule" : "agent_rule",
    subjectId: isShared ? policyId : memberId,
    // A later version of the policy can use the id of the rule for another kind or period, which counts anew.
    name: [policyId, ruleId, kind, period].join(":"),
    period,
    limitMicros: null,
    maxMicros: usdMicros(max),
    ...(kind === "count" && { countedMicros: usdMicros(1n) }),
    ...{ policyId, policyVersion: version, ruleId, kind },
  };
}

/** Returns the error for an amount that exceeds one of the limits, or undefined if the refusal is about another budget. */
export function limitRefusal(
  limits: readonly PolicyLimit[],
  { budget, usedMicros, resetsAt }: Pick<BudgetRefusal, "budget" | "usedMicros" | "resetsAt">,
): AppError | undefined {
  const limit = limits.find((each) => each === budget);
  return (
    limit && limitExceeded(limit, { limit: limit.maxMicros ?? 0n, used: usedMicros, resetsAt })
  );
}

/** Returns the error for an amount or an operation that exceeds a limit. `resetsAt` is null for a limit of each operation. */
export function limitExceeded(
  { policyId, policyVersion, ruleId, kind }: Omit<PolicyLimit, keyof NewBudget>,
  numbers: { readonly limit: bigint; readonly used: bigint; readonly resetsAt: Date | null },
): AppError {
  const { limit, used, resetsAt } = numbers;
  const format = (number: bigint) =>
    kind === "count" ? String(number) : formatUsdMicros(usdMicros(number));
  const unit = kind === "count" ? "operations" : "USD";
  const remaining = format(used < limit ? limit - used : 0n);
  return new AppError("policy_denied", {
    detail: `The limit ${ruleId} of the policy ${policyId} is ${format(limit)} ${unit}, of which ${remaining} remain.`,
    decision: {
      rule_id: ruleId,
      policy_id: policyId,
      policy_version: policyVersion,
      limit: format(limit),
      used: format(used),
      remaining,
      resets_at: resetsAt?.toISOString() ?? null,
    },
  });
}
