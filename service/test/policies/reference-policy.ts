import type { PolicyOperation } from "../../src/foundation/vocabulary.ts";
import type { StoredFacts } from "../../src/modules/policies/rules/facts.ts";
import type { PolicyApprovals, PolicyRule } from "../../src/modules/policies/rules/rule-schema.ts";

/** A policy, an operation, and what has happened before. All of it is JSON, so that it can be printed. */
export interface PolicyCase {
  readonly rules: readonly PolicyRule[];
  readonly approvals: PolicyApprovals;
  readonly operation: PolicyOperation;
  /** For example `2026-03-01T21:59:59.999Z`. */
  readonly at: string;
  readonly facts: StoredFacts;
  /** What is used of the limits, by rule id: dollars, or a number of operations. */
  readonly used: Readonly<Record<string, UsedOfLimit>>;
  /** Ids of rules that a person has approved. */
  readonly satisfied: readonly string[];
}

export interface UsedOfLimit {
  readonly byAgent: string;
  readonly byAllAgents: string;
}

export interface ReferenceDecision {
  readonly decidedBy: "deny" | "limit" | "default" | "require_approval" | "allow";
  readonly ruleId: string;
  readonly approvalRuleIds: readonly string[];
  readonly exceeded: object | undefined;
  /** The rules whose limits have less left after the operation. */
  readonly countedIn: readonly string[];
}

type Conditions = NonNullable<PolicyRule["when"]>;

/**
 * Decides like `evaluate`, but was written from the description of policies without knowledge of its code. It reads the
 * rules as they are in the API, and prefers obvious code to fast code.
 */
export function decideByReference(policyCase: PolicyCase): ReferenceDecision {
  const { rules, approvals, satisfied } = policyCase;
  const matching = rules.filter((rule) => ruleMatches(rule, policyCase));
  const limits = matching.filter((rule) => rule.effect === "limit");
  const outcome = {
    approvalRuleIds: [],
    exceeded: undefined,
    countedIn: limits.filter((rule) => isCountedIn(rule, policyCase)).map((rule) => rule.id),
  };

  const denying = matching.find((rule) => rule.effect === "deny");
  if (denying !== undefined) return { ...outcome, decidedBy: "deny", ruleId: denying.id };

  const exceeded = limits.find((rule) => isExceeded(rule, policyCase));
  if (exceeded !== undefined) {
    return {
      ...outcome,
      decidedBy: "limit",
      ruleId: exceeded.id,
      exceeded: describeLimit(exceeded, policyCase),
    };
  }

  const asking = matching.filter((rule) => rule.effect === "require_approval");
  const permitting = matching.find((rule) => rule.effect === "allow" || asking.includes(rule));
  if (permitting === undefined) return { ...outcome, decidedBy: "default", ruleId: "default" };

  const approvalRuleIds = asking.map((rule) => rule.id);
  if (isOverThreshold(approvals, policyCase)) approvalRuleIds.push("threshold");
  const unanswered = approvalRuleIds.filter((id) => !satisfied.includes(id));
  const ruleId = unanswered[0];
  if (ruleId !== undefined) {
    return { ...outcome, decidedBy: "require_approval", ruleId, approvalRuleIds: unanswered };
  }

  return { ...outcome, decidedBy: "allow", ruleId: permitting.id };
}

function ruleMatches({ operation = "*", when = {} }: PolicyRule, policyCase: PolicyCase): boolean {
  return (operation === "*" || operation === policyCase.operation) && conditionsHold(when, policyCase);
}

/** The generated facts have one category. */
function textOf(category: StoredFacts["category"]): string | undefined {
  if (category === undefined || typeof category === "string") return category;
  throw new Error("the reference compares one category");
}

/** Returns true if all conditions hold. A condition about an unknown fact does not hold. */
export function conditionsHold(when: Conditions, { facts, at }: Pick<PolicyCase, "facts" | "at">): boolean {
  return (
    amountConditionHolds(when.amount_usd, facts.amount_usd) &&
    amountConditionHolds(when.monthly_cost_usd, facts.monthly_cost_usd) &&
    payeeConditionHolds(when.payee, facts.payee) &&
    textConditionHolds(when.network, facts.network) &&
    textConditionHolds(when.token, facts.token) &&
    textConditionHolds(when.provider, facts.provider) &&
    textConditionHolds(when.service, facts.service) &&
    textConditionHolds(when.category, textOf(facts.category)) &&
    textConditionHolds(when.plan, facts.plan) &&
    textConditionHolds(when.kya_level, facts.kya_level) &&
    (when.payee_first_seen === undefined || when.payee_first_seen === facts.payee_first_seen) &&
    timeConditionHolds(when.time_utc, at)
  );
}

/** Converts decimal text to millionths. */
export function millionthsOf(decimal: string): bigint {
  const [whole, fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(6, "0"));
}

function amountConditionHolds(condition: Conditions["amount_usd"], amount: string | undefined): boolean {
  if (condition === undefined) return true;
  if (amount === undefined) return false;
  const { gt, gte, lt, lte, eq } = condition;
  const actual = millionthsOf(amount);
  return (
    (gt === undefined || actual > millionthsOf(gt)) &&
    (gte === undefined || actual >= millionthsOf(gte)) &&
    (lt === undefined || actual < millionthsOf(lt)) &&
    (lte === undefined || actual <= millionthsOf(lte)) &&
    (eq === undefined || actual === millionthsOf(eq))
  );
}

interface TextCondition {
  readonly eq?: string;
  readonly in?: readonly string[];
  readonly not_in?: readonly string[];
}

function textConditionHolds(condition: TextCondition | undefined, text: string | undefined) {
  if (condition === undefined) return true;
  if (text === undefined) return false;
  return (
    (condition.eq === undefined || condition.eq === text) &&
    (condition.in === undefined || condition.in.includes(text)) &&
    (condition.not_in === undefined || !condition.not_in.includes(text))
  );
}

/** Payees are compared ignoring case. */
function payeeConditionHolds(condition: Conditions["payee"], payee: string | undefined) {
  if (condition === undefined) return true;
  const lowerCase: TextCondition = JSON.parse(
    JSON.stringify(condition, (_key, value) => (typeof value === "string" ? value.toLowerCase() : value)),
  );
  return textConditionHolds(lowerCase, payee?.toLowerCase());
}

function timeConditionHolds(condition: Conditions["time_utc"], at: string): boolean {
  if (condition === undefined) return true;
  const time = at.slice("2026-03-01T".length, "2026-03-01T21:59".length);
  return (
    (condition.inside === undefined || isInRange(time, condition.inside)) &&
    (condition.outside === undefined || !isInRange(time, condition.outside))
  );
}

/** `time` is `HH:MM` and `range` is `HH:MM-HH:MM`. Such times can be compared as text. */
function isInRange(time: string, range: string): boolean {
  const start = range.slice(0, 5);
  const end = range.slice(6);
  const containsMidnight = start > end;
  return containsMidnight ? time >= start || time < end : time >= start && time < end;
}

/** Returns the amount of the operation, undefined if it has none. */
function amountOf({ facts }: PolicyCase): string | undefined {
  return facts.amount_usd ?? facts.monthly_cost_usd;
}

function isOverThreshold({ threshold_usd }: PolicyApprovals, policyCase: PolicyCase): boolean {
  const amount = amountOf(policyCase);
  if (threshold_usd === undefined || amount === undefined) return false;
  return millionthsOf(amount) > millionthsOf(threshold_usd);
}

/** Returns what the operation adds to a limit, and what was used before. Undefined if the limit does not apply. */
function usageOf({ id, budget, count, shared }: PolicyRule, policyCase: PolicyCase) {
  const usedOfLimit = policyCase.used[id] ?? { byAgent: "0", byAllAgents: "0" };
  const used = shared === true ? usedOfLimit.byAllAgents : usedOfLimit.byAgent;
  if (count !== undefined) {
    return { kind: "count", limit: BigInt(count.max), used: BigInt(used), added: 1n };
  }
  const amount = amountOf(policyCase);
  if (budget === undefined || amount === undefined) return undefined;
  return {
    kind: "budget",
    limit: millionthsOf(budget.max),
    used: budget.period === "per_tx" ? 0n : millionthsOf(used),
    added: millionthsOf(amount),
  };
}

function isExceeded(rule: PolicyRule, policyCase: PolicyCase): boolean {
  const usage = usageOf(rule, policyCase);
  return usage !== undefined && usage.used + usage.added > usage.limit;
}

function describeLimit(rule: PolicyRule, policyCase: PolicyCase): object | undefined {
  const usage = usageOf(rule, policyCase);
  if (usage === undefined) return undefined;
  const { kind, limit, used } = usage;
  return { kind, limit, used, remaining: used > limit ? 0n : limit - used };
}

/** Returns true if the operation uses some of the limit, so that later operations find less of it. */
function isCountedIn(rule: PolicyRule, policyCase: PolicyCase): boolean {
  return rule.budget?.period !== "per_tx" && usageOf(rule, policyCase) !== undefined;
}
