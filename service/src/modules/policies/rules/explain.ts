import { formatUsdMicros } from "../../../foundation/money.ts";
import type { CompiledPolicyRules, CompiledRule, Condition } from "./compiled-policy.ts";
import type { PolicyFacts } from "./facts.ts";
import { comparableFactsOf, holds, isAbout } from "./match-rule.ts";

export interface ExplainedRule {
  readonly ruleId: string;
  readonly effect: CompiledRule["effect"];
  readonly matched: boolean;
  /** One sentence without a full stop, for people. */
  readonly reason: string;
}

/** Tells for each rule of a policy whether it matches, and why. */
export function explain({ rules }: CompiledPolicyRules, facts: PolicyFacts): ExplainedRule[] {
  const comparable = comparableFactsOf(facts);
  return rules.map((rule) => {
    const base = { ruleId: rule.id, effect: rule.effect };
    if (!isAbout(rule, facts)) return { ...base, matched: false, reason: "operation differs" };
    const failing = rule.conditions.find((condition) => !holds(condition, comparable));
    if (failing !== undefined) {
      return { ...base, matched: false, reason: reasonOf(failing, facts) };
    }
    const reason = rule.conditions.length === 0 ? "no conditions" : "all conditions hold";
    return { ...base, matched: true, reason };
  });
}

/** Says why a condition does not hold. */
function reasonOf(condition: Condition, facts: PolicyFacts): string {
  if (condition.fact === "time_utc") {
    const time = facts.at.toISOString().slice(11, 16);
    return `time_utc ${time} is not ${condition.operator} ${condition.text}`;
  }
  const { fact } = condition;
  const value = facts[fact];
  if (value === undefined) return `${fact} is unknown`;
  const text = typeof value === "bigint" ? formatUsdMicros(value) : [value].flat().join(" and ");
  if (condition.fact === "payee_first_seen") return `${fact} is ${text}`;
  if ("values" in condition) return `${fact} ${text} ${listReasonOf(condition)}`;
  return `${fact} ${text} is not ${condition.operator} ${formatUsdMicros(condition.value)}`;
}

function listReasonOf({ operator, values }: Extract<Condition, { readonly values: unknown }>) {
  if (operator === "eq") return `is not ${[...values].join()}`;
  return operator === "in" ? "is not in the list" : "is in the list";
}
