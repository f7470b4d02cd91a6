import type { CompiledRule, Condition } from "./compiled-policy.ts";
import type { PolicyFacts } from "./facts.ts";

/** Facts in the form that conditions are compared with. */
export interface ComparableFacts extends PolicyFacts {
  readonly minuteOfDay: number;
}

export function comparableFactsOf(facts: PolicyFacts): ComparableFacts {
  return {
    ...facts,
    payee: facts.payee?.toLowerCase(),
    minuteOfDay: facts.at.getUTCHours() * 60 + facts.at.getUTCMinutes(),
  };
}

export function isMatch(rule: CompiledRule, facts: ComparableFacts): boolean {
  return isAbout(rule, facts) && rule.conditions.every((condition) => holds(condition, facts));
}

export function isAbout({ operation }: CompiledRule, facts: PolicyFacts): boolean {
  return operation === undefined || operation === facts.operation;
}

/** Returns true if the fact is known and the condition holds. */
export function holds(condition: Condition, facts: ComparableFacts): boolean {
  switch (condition.fact) {
    case "amount_usd":
    case "monthly_cost_usd":
      return holdsForAmount(condition, facts[condition.fact]);
    case "payee_first_seen":
      return facts.payee_first_seen === condition.value;
    case "time_utc":
      return isInside(condition, facts.minuteOfDay) === (condition.operator === "inside");
    default: {
      const value = facts[condition.fact];
      if (value === undefined) return false;
      const isListed =
        typeof value === "string" ? condition.values.has(value) : value.some((text) => condition.values.has(text));
      return isListed === (condition.operator !== "not_in");
    }
  }
}

function holdsForAmount(
  { operator, value }: Extract<Condition, { readonly value: bigint }>,
  amount: bigint | undefined,
): boolean {
  if (amount === undefined) return false;
  switch (operator) {
    case "gt":
      return amount > value;
    case "gte":
      return amount >= value;
    case "lt":
      return amount < value;
    case "lte":
      return amount <= value;
    case "eq":
      return amount === value;
  }
}

function isInside({ start, end }: { readonly start: number; readonly end: number }, minute: number): boolean {
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}
