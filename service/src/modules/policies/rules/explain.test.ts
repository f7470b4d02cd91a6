import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFacts, anyPolicy } from "../../../../test/policies/any-policy.ts";
import { usdMicros } from "../../../foundation/money.ts";
import { explain } from "./explain.ts";
import type { PolicyFacts } from "./facts.ts";
import { comparableFactsOf, isMatch } from "./match-rule.ts";
import { parsePolicy } from "./parse-rules.ts";
import type { PolicyRule } from "./rule-schema.ts";

const FACTS: PolicyFacts = {
  operation: "payment",
  at: new Date("2026-11-23T05:30:59.000Z"),
  amount_usd: usdMicros(30_000_000n),
  payee: "0xABC",
  payee_first_seen: false,
  network: "base",
};

describe("explain", () => {
  it.each<[Omit<PolicyRule, "id" | "effect">, boolean, string]>([
    [{}, true, "no conditions"],
    [{ when: { amount_usd: { gte: "30" } } }, true, "all conditions hold"],
    [{ operation: "x402" }, false, "operation differs"],
    [{ when: { amount_usd: { lt: "25" } } }, false, "amount_usd 30.00 is not lt 25.00"],
    [{ when: { amount_usd: { gt: "25", lte: "29.999999" } } }, false, "amount_usd 30.00 is not lte 29.999999"],
    [{ when: { monthly_cost_usd: { lt: "25" } } }, false, "monthly_cost_usd is unknown"],
    [{ when: { token: { not_in: ["USDC"] } } }, false, "token is unknown"],
    [{ when: { payee: { eq: "0xdef" } } }, false, "payee 0xABC is not 0xdef"],
    [{ when: { network: { in: ["a", "b"] } } }, false, "network base is not in the list"],
    [{ when: { network: { not_in: ["base"] } } }, false, "network base is in the list"],
    [{ when: { payee_first_seen: true } }, false, "payee_first_seen is false"],
    [{ when: { time_utc: { inside: "06:00-22:00" } } }, false, "time_utc 05:30 is not inside 06:00-22:00"],
    [{ when: { time_utc: { outside: "22:00-06:00" } } }, false, "time_utc 05:30 is not outside 22:00-06:00"],
  ])("%j: %s, %s", (rule, matched, reason) => {
    const policy = parsePolicy({ rules: [{ id: "rule", effect: "allow", ...rule }] });
    expect(explain(policy, FACTS)).toEqual([{ ruleId: "rule", effect: "allow", matched, reason }]);
  });

  it("agrees with evaluate about every rule of any policy", () => {
    fc.assert(
      fc.property(anyPolicy, anyFacts, (policy, facts) => {
        const comparable = comparableFactsOf(facts);
        expect(explain(policy, facts).map(({ matched }) => matched)).toEqual(
          policy.rules.map((rule) => isMatch(rule, comparable)),
        );
      }),
    );
  });
});
