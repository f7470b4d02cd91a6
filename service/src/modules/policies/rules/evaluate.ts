import type { CompiledPolicyRules, CompiledRule, WindowLimit } from "./compiled-policy.ts";
import { type PolicyFacts, spendingOf } from "./facts.ts";
import { comparableFactsOf, isMatch } from "./match-rule.ts";

/** The `rule_id` of what no rule permits. */
const DEFAULT_RULE_ID = "default";
/** The `rule_id` of an amount above the policy's `threshold_usd`. */
const THRESHOLD_RULE_ID = "threshold";

export interface EvaluationContext {
  /** Returns what is used of a limit: millionths of a US dollar, or a number of operations. */
  readonly used: (limit: WindowLimit) => bigint;
  /** Ids of rules that a person has approved. They permit, and no longer ask. */
  readonly satisfied: ReadonlySet<string>;
}

/** A limit that the operation would exceed. The numbers have the unit of `kind`. */
export interface ExceededLimit {
  readonly kind: "budget" | "count";
  readonly limit: bigint;
  readonly used: bigint;
  readonly remaining: bigint;
}

/** What decided, from the strictest to the mildest. */
export const DECIDING_EFFECTS = ["deny", "limit", "default", "require_approval", "allow"] as const;

export interface Evaluation {
  readonly decidedBy: (typeof DECIDING_EFFECTS)[number];
  /** The first rule of the deciding effect, `default` or `threshold`. */
  readonly ruleId: string;
  /** Only if a limit decided. */
  readonly exceeded: ExceededLimit | undefined;
  /** The rules that ask a person. Empty unless they decided. */
  readonly approvalRuleIds: readonly string[];
  /** The limits of a period that the operation counts in. */
  readonly windowLimits: readonly WindowLimit[];
}

/**
 * Decides by one policy. Deny rules come first, then limits. Then a rule must permit the operation. A rule that asks
 * beats a rule that allows.
 */
export function evaluate(
  { rules, thresholdUsd }: CompiledPolicyRules,
  facts: PolicyFacts,
  { used, satisfied }: EvaluationContext,
): Evaluation {
  const comparable = comparableFactsOf(facts);
  const matching = rules.filter((rule) => isMatch(rule, comparable));
  const spending = spendingOf(facts);
  const limits = matching.flatMap(({ limit }) =>
    limit === undefined || (limit.kind === "budget" && spending === undefined) ? [] : [limit],
  );
  const windowLimits = limits.filter((limit): limit is WindowLimit => limit.period !== "per_tx");
  const base = { exceeded: undefined, approvalRuleIds: [], windowLimits };

  const denying = matching.find(({ effect }) => effect === "deny");
  if (denying !== undefined) return { ...base, decidedBy: "deny", ruleId: denying.id };

  for (const limit of limits) {
    const added = limit.kind === "count" ? 1n : (spending ?? 0n);
    const before = limit.period === "per_tx" ? 0n : used(limit);
    if (before + added <= limit.max) continue;
    const exceeded = exceededOf(limit, before);
    return { ...base, decidedBy: "limit", ruleId: limit.ruleId, exceeded };
  }

  const isAboveThreshold = thresholdUsd !== undefined && spending !== undefined && spending > thresholdUsd;
  return { ...base, ...permissionOf(matching, isAboveThreshold, satisfied) };
}

function exceededOf({ kind, max }: { kind: "budget" | "count"; max: bigint }, used: bigint) {
  return { kind, limit: max, used, remaining: used < max ? max - used : 0n };
}

/** Decides by the rules that permit, after deny rules and limits. */
function permissionOf(
  matching: readonly CompiledRule[],
  isAboveThreshold: boolean,
  satisfied: ReadonlySet<string>,
): Pick<Evaluation, "decidedBy" | "ruleId" | "approvalRuleIds"> {
  const permitting = matching.filter(({ effect }) => effect === "allow" || effect === "require_approval");
  const [first] = permitting;
  if (first === undefined) {
    return { decidedBy: "default", ruleId: DEFAULT_RULE_ID, approvalRuleIds: [] };
  }
  const approvalRuleIds = [
    ...permitting.filter(({ effect }) => effect === "require_approval").map(({ id }) => id),
    ...(isAboveThreshold ? [THRESHOLD_RULE_ID] : []),
  ].filter((id) => !satisfied.has(id));
  const [asking] = approvalRuleIds;
  return asking === undefined
    ? { decidedBy: "allow", ruleId: first.id, approvalRuleIds }
    : { decidedBy: "require_approval", ruleId: asking, approvalRuleIds };
}
