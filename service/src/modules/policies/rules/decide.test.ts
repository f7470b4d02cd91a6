import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFacts, anyPolicy } from "../../../../test/policies/any-policy.ts";
import type { PolicyId } from "../../../foundation/ids.ts";
import { usdMicros } from "../../../foundation/money.ts";
import type { KyaLevel } from "../../../foundation/vocabulary.ts";
import { type ApplicablePolicy, decide } from "./decide.ts";
import type { PolicyFacts } from "./facts.ts";
import { parsePolicy } from "./parse-rules.ts";
import type { PolicyApprovals, PolicyRule } from "./rule-schema.ts";

type KyaCondition = NonNullable<NonNullable<PolicyRule["when"]>["kya_level"]>;

const FACTS: PolicyFacts = {
  operation: "payment",
  at: new Date("2026-11-23T12:30:00.000Z"),
  amount_usd: usdMicros(30_000_000n),
  kya_level: "none",
};
const ALLOW: PolicyRule = { id: "all", effect: "allow" };
const ASK: PolicyRule = { id: "ask", effect: "require_approval" };
const DENY: PolicyRule = { id: "never", effect: "deny" };
const LIMIT: PolicyRule = {
  id: "cap",
  effect: "limit",
  budget: { max: "50", period: "rolling_24h" },
};
const EMPTY = () => ({ used: () => 0n, satisfied: new Set<string>() });
const FULL = () => ({ used: () => 40_000_000n, satisfied: new Set<string>() });

function policyOf(policyId: PolicyId, rules: readonly PolicyRule[], approvals?: PolicyApprovals): ApplicablePolicy {
  return { policyId, version: 3, rules: parsePolicy({ rules, approvals }) };
}

describe("the strictest of several policies decides", () => {
  it("allow: no policy applies", () => {
    expect(decide([], FACTS, EMPTY)).toEqual({
      outcome: "allow",
      policyId: null,
      policyVersion: null,
      ruleId: null,
      exceeded: undefined,
      kya: undefined,
      approvalRules: [],
      windowLimits: [],
    });
  });

  it("allow: names the first policy by id", () => {
    const policies = [policyOf("pol_b", [ALLOW]), policyOf("pol_a", [{ ...ALLOW, id: "first" }])];
    expect(decide(policies, FACTS, EMPTY)).toMatchObject({
      outcome: "allow",
      policyId: "pol_a",
      policyVersion: 3,
      ruleId: "first",
    });
  });

  it("deny before limit, limit before default, default before asking, asking before allow", () => {
    const allowing = policyOf("pol_a", [ALLOW]);
    const asking = policyOf("pol_b", [ASK]);
    const empty = policyOf("pol_c", []);
    const limiting = policyOf("pol_d", [ALLOW, LIMIT]);
    const denying = policyOf("pol_e", [ALLOW, DENY]);
    const of = (...policies: ApplicablePolicy[]) => decide(policies, FACTS, FULL);

    expect(of(denying, limiting, empty, asking, allowing)).toMatchObject({
      outcome: "deny",
      policyId: "pol_e",
      ruleId: "never",
      exceeded: undefined,
    });
    expect(of(limiting, empty, asking, allowing)).toMatchObject({
      outcome: "deny",
      policyId: "pol_d",
      ruleId: "cap",
      exceeded: { limit: 50_000_000n, used: 40_000_000n, remaining: 10_000_000n },
    });
    expect(of(empty, asking, allowing)).toMatchObject({
      outcome: "deny",
      policyId: "pol_c",
      ruleId: "default",
    });
    expect(of(asking, allowing)).toMatchObject({
      outcome: "require_approval",
      policyId: "pol_b",
      ruleId: "ask",
    });
  });

  it("require_approval: returns the rules of all policies that require approval", () => {
    const a = policyOf("pol_a", [ALLOW], { threshold_usd: "20" });
    const b = policyOf("pol_b", [ASK, { ...ASK, id: "too" }]);
    const approvalRules = [
      { policyId: "pol_a", policyVersion: 3, ruleId: "threshold" },
      { policyId: "pol_b", policyVersion: 3, ruleId: "ask" },
      { policyId: "pol_b", policyVersion: 3, ruleId: "too" },
    ];
    expect(decide([b, a, b], FACTS, EMPTY)).toMatchObject({
      outcome: "require_approval",
      policyId: "pol_a",
      ruleId: "threshold",
      approvalRules,
    });
    expect(decide([a, b, policyOf("pol_c", [])], FACTS, EMPTY).approvalRules).toEqual([]);
    const satisfied = new Set(approvalRules.map(({ ruleId }) => ruleId));
    expect(decide([a, b], FACTS, () => ({ used: () => 0n, satisfied })).outcome).toBe("allow");
  });

  it("returns the limits of a period with their policies, also if one policy occurs twice", () => {
    const of = (agentId: string) => ({ ...policyOf("pol_a", [ALLOW, LIMIT]), agentId });
    const { windowLimits } = decide([of("child"), of("parent")], FACTS, EMPTY);
    expect(windowLimits.map(({ policy, limit }) => [policy.agentId, limit.ruleId])).toEqual([
      ["child", "cap"],
      ["parent", "cap"],
    ]);
  });

  it("asks for the context of each policy", () => {
    const of = (agentId: string) => ({ ...policyOf("pol_a", [ALLOW, LIMIT]), agentId });
    const contextOf = ({ agentId }: { agentId: string }) => (agentId === "parent" ? FULL() : EMPTY());
    expect(decide([of("child")], FACTS, contextOf).outcome).toBe("allow");
    expect(decide([of("child"), of("parent")], FACTS, contextOf).ruleId).toBe("cap");
  });
});

describe("the know-your-agent level that a deny rule requires", () => {
  const kyaOf = (rule: Partial<PolicyRule>, facts: Partial<PolicyFacts> = {}) => {
    const policies = [policyOf("pol_a", [ALLOW, { ...DENY, ...rule }])];
    return decide(policies, { ...FACTS, ...facts }, EMPTY).kya;
  };

  it.each<[KyaCondition, KyaLevel, KyaLevel]>([
    [{ in: ["none"] }, "none", "basic"],
    [{ not_in: ["verified", "attested"] }, "none", "verified"],
    [{ not_in: ["verified", "attested"] }, "basic", "verified"],
    [{ in: ["none", "verified"] }, "verified", "attested"],
    [{ in: ["none", "verified"] }, "none", "basic"],
  ])("%j at %s: %s", (condition, actualLevel, requiredLevel) => {
    expect(kyaOf({ when: { kya_level: condition } }, { kya_level: actualLevel })).toEqual({
      requiredLevel,
      actualLevel,
    });
  });

  it("undefined: no higher level would help", () => {
    expect(kyaOf({})).toBeUndefined();
    expect(kyaOf({ when: { kya_level: { not_in: ["none"] } } }, { kya_level: "basic" })).toBeUndefined();
    expect(kyaOf({ when: { kya_level: { eq: "attested" } } }, { kya_level: "attested" })).toBeUndefined();
  });

  it("undefined: no deny rule decided", () => {
    const rules: PolicyRule[] = [{ ...ALLOW, when: { kya_level: { eq: "basic" } } }];
    expect(decide([policyOf("pol_a", rules)], FACTS, EMPTY)).toMatchObject({
      ruleId: "default",
      kya: undefined,
    });
  });
});

describe("any policies and any facts", () => {
  const runs = { numRuns: 2_000 };
  const anyPolicies = fc
    .array(anyPolicy, { maxLength: 4 })
    .map((all) => all.map((rules, at) => ({ policyId: `pol_${at}` as const, version: 1, rules })));
  const strictness = ["allow", "require_approval", "deny"];
  const strictnessOf = (policies: readonly ApplicablePolicy[], facts: PolicyFacts) =>
    strictness.indexOf(decide(policies, facts, EMPTY).outcome);

  it("what the policies of a parent refuse, a child with more policies never gets", () => {
    fc.assert(
      fc.property(anyPolicies, anyPolicies, anyFacts, (parents, own, facts) => {
        const child = [...parents, ...own];
        expect(strictnessOf(child, facts)).toBeGreaterThanOrEqual(strictnessOf(parents, facts));
        const strictest = Math.max(...child.map((one) => strictnessOf([one], facts)), 0);
        expect(strictnessOf(child, facts)).toBe(strictest);
      }),
      runs,
    );
  });

  it("the order of the policies changes nothing", () => {
    fc.assert(
      fc.property(anyPolicies, anyFacts, (policies, facts) => {
        const decision = decide(policies, facts, EMPTY);
        expect(decide(policies.toReversed(), facts, EMPTY)).toEqual(decision);
      }),
      runs,
    );
  });

  it("a higher level than the required one is not refused by the same rule", () => {
    fc.assert(
      fc.property(anyPolicies, anyFacts, (policies, facts) => {
        const { kya, ruleId, policyId } = decide(policies, facts, EMPTY);
        if (kya === undefined) return;
        const better = decide(policies, { ...facts, kya_level: kya.requiredLevel }, EMPTY);
        expect([better.policyId, better.ruleId]).not.toEqual([policyId, ruleId]);
      }),
      runs,
    );
  });
});
