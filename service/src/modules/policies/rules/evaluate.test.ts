import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFacts, anyPolicy, anyRule } from "../../../../test/policies/any-policy.ts";
import { parseUsdMicros, usdMicros } from "../../../foundation/money.ts";
import { evaluate } from "./evaluate.ts";
import type { PolicyFacts } from "./facts.ts";
import { parsePolicy } from "./parse-rules.ts";
import type { PolicyApprovals, PolicyRule } from "./rule-schema.ts";

const usd = (text: string) => parseUsdMicros(text) ?? usdMicros(0n);
const FACTS: PolicyFacts = { operation: "payment", at: new Date("2026-11-23T12:30:00.000Z") };
const ALLOW: PolicyRule = { id: "all", effect: "allow" };
const EMPTY = { used: () => 0n, satisfied: new Set<string>() };

function run(
  rules: readonly PolicyRule[],
  facts: Partial<PolicyFacts> = {},
  { approvals, ...context }: Partial<typeof EMPTY> & { approvals?: PolicyApprovals } = {},
) {
  const policy = parsePolicy({ rules, approvals });
  return evaluate(policy, { ...FACTS, ...facts }, { ...EMPTY, ...context });
}

/** Returns true if the rule matches, which permits. */
const permits = (rule: Omit<PolicyRule, "id" | "effect">, facts: Partial<PolicyFacts>) =>
  run([{ id: "rule", effect: "allow", ...rule }], facts).decidedBy === "allow";

describe("a rule matches if its operation and all its conditions hold", () => {
  it("operation: the same, * or absent", () => {
    expect(permits({ operation: "payment" }, {})).toBe(true);
    expect(permits({ operation: "*" }, {})).toBe(true);
    expect(permits({}, {})).toBe(true);
    expect(permits({ operation: "x402" }, {})).toBe(false);
  });

  it.each([
    [{ gt: "25" }, "25", false],
    [{ gt: "25" }, "25.000001", true],
    [{ gte: "25" }, "24.999999", false],
    [{ gte: "25" }, "25", true],
    [{ lt: "25" }, "25", false],
    [{ lt: "25" }, "24.999999", true],
    [{ lte: "25" }, "25.000001", false],
    [{ lte: "25" }, "25", true],
    [{ eq: "25.0" }, "25", true],
    [{ eq: "25" }, "25.000001", false],
    [{ eq: "0" }, "0", true],
    [{ gt: "5", lt: "10" }, "7", true],
    [{ gt: "5", lt: "10" }, "10", false],
    [{ gt: "5", lt: "10" }, "5", false],
  ])("amounts: %j and %s: %s", (condition, amount, expected) => {
    expect(permits({ when: { amount_usd: condition } }, { amount_usd: usd(amount) })).toBe(expected);
    const cost = { monthly_cost_usd: usd(amount) };
    expect(permits({ when: { monthly_cost_usd: condition } }, cost)).toBe(expected);
  });

  it.each(["network", "token", "provider", "service", "category", "plan"] as const)(
    "%s: eq, in and not_in compare exactly",
    (fact) => {
      expect(permits({ when: { [fact]: { eq: "a" } } }, { [fact]: "a" })).toBe(true);
      expect(permits({ when: { [fact]: { eq: "a" } } }, { [fact]: "A" })).toBe(false);
      expect(permits({ when: { [fact]: { in: ["a", "b"] } } }, { [fact]: "b" })).toBe(true);
      expect(permits({ when: { [fact]: { in: ["a", "b"] } } }, { [fact]: "c" })).toBe(false);
      expect(permits({ when: { [fact]: { not_in: ["a"] } } }, { [fact]: "b" })).toBe(true);
      expect(permits({ when: { [fact]: { not_in: ["a"] } } }, { [fact]: "a" })).toBe(false);
    },
  );

  it("payee: ignores case in the rule and in the fact", () => {
    expect(permits({ when: { payee: { in: ["0xABc"] } } }, { payee: "0xaBC" })).toBe(true);
    expect(permits({ when: { payee: { not_in: ["0xABc"] } } }, { payee: "0xaBC" })).toBe(false);
    expect(permits({ when: { payee: { eq: "Api.Example.com" } } }, { payee: "api.example.com" })).toBe(true);
  });

  it("kya_level: eq, in and not_in", () => {
    expect(permits({ when: { kya_level: { eq: "basic" } } }, { kya_level: "basic" })).toBe(true);
    expect(permits({ when: { kya_level: { in: ["none"] } } }, { kya_level: "basic" })).toBe(false);
    expect(permits({ when: { kya_level: { not_in: ["none"] } } }, { kya_level: "basic" })).toBe(true);
  });

  it("payee_first_seen: the same value", () => {
    expect(permits({ when: { payee_first_seen: true } }, { payee_first_seen: true })).toBe(true);
    expect(permits({ when: { payee_first_seen: true } }, { payee_first_seen: false })).toBe(false);
    expect(permits({ when: { payee_first_seen: false } }, { payee_first_seen: false })).toBe(true);
  });

  it.each([
    ["06:00-22:00", "05:59:59.999", false],
    ["06:00-22:00", "06:00:00.000", true],
    ["06:00-22:00", "21:59:59.999", true],
    ["06:00-22:00", "22:00:00.000", false],
    ["22:00-06:00", "21:59:59.999", false],
    ["22:00-06:00", "22:00:00.000", true],
    ["22:00-06:00", "00:00:00.000", true],
    ["22:00-06:00", "05:59:59.999", true],
    ["22:00-06:00", "06:00:00.000", false],
    ["06:01-06:00", "05:59:59.999", true],
    ["06:01-06:00", "06:00:00.000", false],
    ["22:00-00:00", "23:59:59.999", true],
    ["22:00-00:00", "00:00:00.000", false],
  ])("time_utc: %s contains %s: %s", (range, time, expected) => {
    const at = new Date(`2026-11-23T${time}Z`);
    expect(permits({ when: { time_utc: { inside: range } } }, { at })).toBe(expected);
    expect(permits({ when: { time_utc: { outside: range } } }, { at })).toBe(!expected);
  });

  it("category: any of several for eq and in, none of them for not_in", () => {
    const holds = (category: object) => permits({ when: { category } }, { category: ["database", "auth"] });

    expect(holds({ in: ["auth", "email"] })).toBe(true);
    expect(holds({ eq: "database" })).toBe(true);
    expect(holds({ in: ["email"] })).toBe(false);
    expect(holds({ not_in: ["auth"] })).toBe(false);
    expect(holds({ not_in: ["email"] })).toBe(true);
  });

  it("several conditions: all must hold", () => {
    const when = { token: { eq: "USDC" }, network: { eq: "base" } };
    expect(permits({ when }, { token: "USDC", network: "base" })).toBe(true);
    expect(permits({ when }, { token: "USDC", network: "optimism" })).toBe(false);
    expect(permits({ when }, { token: "USDT", network: "base" })).toBe(false);
  });

  it.each<NonNullable<PolicyRule["when"]>>([
    { amount_usd: { gte: "0" } },
    { amount_usd: { lt: "1" } },
    { monthly_cost_usd: { lte: "100" } },
    { payee: { not_in: ["a"] } },
    { plan: { not_in: ["a"] } },
    { kya_level: { not_in: ["none"] } },
    { payee_first_seen: false },
    { payee_first_seen: true },
  ])("an unknown fact matches nothing: %j", (when) => {
    expect(permits({ when }, {})).toBe(false);
  });
});

describe("the strictest effect decides", () => {
  const ASK: PolicyRule = { id: "ask", effect: "require_approval" };
  const DENY: PolicyRule = { id: "never", effect: "deny" };
  const LIMIT: PolicyRule = { id: "cap", effect: "limit", budget: { max: "5", period: "per_tx" } };
  const six = { amount_usd: usd("6") };

  it("deny: no rule permits", () => {
    expect(run([])).toMatchObject({ decidedBy: "default", ruleId: "default" });
    const limited = run([LIMIT], { amount_usd: usd("5") });
    expect(limited).toMatchObject({ decidedBy: "default", ruleId: "default" });
  });

  it("deny before limit, limit before default, asking before allow", () => {
    expect(run([ALLOW, ASK, LIMIT, DENY], six).ruleId).toBe("never");
    expect(run([ALLOW, ASK, LIMIT], six).ruleId).toBe("cap");
    expect(run([LIMIT], six).ruleId).toBe("cap");
    expect(run([ALLOW, ASK], six)).toMatchObject({ decidedBy: "require_approval", ruleId: "ask" });
    expect(run([ALLOW], six)).toMatchObject({ decidedBy: "allow", ruleId: "all" });
  });

  it("names the first rule of the deciding effect", () => {
    expect(run([ALLOW, { ...DENY, id: "a" }, DENY]).ruleId).toBe("a");
    expect(run([ALLOW, DENY, { ...DENY, id: "a" }]).ruleId).toBe("never");
    expect(run([{ ...LIMIT, id: "b" }, LIMIT], six).ruleId).toBe("b");
    expect(run([ALLOW, { ...ALLOW, id: "other" }]).ruleId).toBe("all");
    expect(run([ALLOW, ASK, { ...ASK, id: "too" }])).toMatchObject({
      ruleId: "ask",
      approvalRuleIds: ["ask", "too"],
    });
  });

  it("a satisfied rule permits and no longer asks", () => {
    const satisfied = new Set(["ask"]);
    expect(run([ASK], {}, { satisfied })).toMatchObject({ decidedBy: "allow", ruleId: "ask" });
    const other = run([ASK, { ...ASK, id: "too" }], {}, { satisfied });
    expect(other).toMatchObject({ decidedBy: "require_approval", approvalRuleIds: ["too"] });
    expect(run([ASK, DENY], {}, { satisfied }).decidedBy).toBe("deny");
    expect(run([ASK, LIMIT], six, { satisfied }).decidedBy).toBe("limit");
  });

  it("the threshold asks if the amount is more than it, and something permits", () => {
    const approvals = { threshold_usd: "20" };
    expect(run([ALLOW], { amount_usd: usd("20") }, { approvals }).decidedBy).toBe("allow");
    const above = { amount_usd: usd("20.000001") };
    expect(run([ALLOW], above, { approvals })).toMatchObject({
      decidedBy: "require_approval",
      ruleId: "threshold",
      approvalRuleIds: ["threshold"],
    });
    expect(run([ALLOW], { monthly_cost_usd: usd("21") }, { approvals }).ruleId).toBe("threshold");
    expect(run([ALLOW], {}, { approvals }).decidedBy).toBe("allow");
    expect(run([], above, { approvals }).decidedBy).toBe("default");
    expect(run([ASK], above, { approvals })).toMatchObject({
      ruleId: "ask",
      approvalRuleIds: ["ask", "threshold"],
    });
    const satisfied = new Set(["threshold"]);
    expect(run([ALLOW], above, { approvals, satisfied }).decidedBy).toBe("allow");
  });
});

describe("limits", () => {
  const PER_TX: PolicyRule = {
    id: "single",
    effect: "limit",
    budget: { max: "5", period: "per_tx" },
  };
  const DAILY: PolicyRule = {
    id: "daily",
    effect: "limit",
    budget: { max: "50", period: "rolling_24h" },
  };
  const VELOCITY: PolicyRule = {
    id: "velocity",
    effect: "limit",
    count: { max: 3, period: "rolling_1h" },
  };

  it("per_tx compares the amount of one operation, whatever is used", () => {
    const used = () => 1_000_000_000n;
    expect(run([ALLOW, PER_TX], { amount_usd: usd("5") }, { used }).decidedBy).toBe("allow");
    expect(run([ALLOW, PER_TX], { amount_usd: usd("5.000001") }, { used })).toMatchObject({
      ruleId: "single",
      exceeded: { kind: "budget", limit: usd("5"), used: 0n, remaining: usd("5") },
    });
  });

  it("a budget is exceeded if what is used and the amount are more than its maximum", () => {
    const used = () => usd("45");
    expect(run([ALLOW, DAILY], { amount_usd: usd("5") }, { used }).decidedBy).toBe("allow");
    expect(run([ALLOW, DAILY], { amount_usd: usd("5.000001") }, { used })).toMatchObject({
      decidedBy: "limit",
      ruleId: "daily",
      exceeded: { kind: "budget", limit: usd("50"), used: usd("45"), remaining: usd("5") },
    });
    const over = run([ALLOW, DAILY], { amount_usd: usd("1") }, { used: () => usd("60") });
    expect(over.exceeded).toMatchObject({ used: usd("60"), remaining: 0n });
  });

  it("a count is exceeded by the operation after its maximum", () => {
    expect(run([ALLOW, VELOCITY], {}, { used: () => 2n }).decidedBy).toBe("allow");
    expect(run([ALLOW, VELOCITY], {}, { used: () => 3n })).toMatchObject({
      ruleId: "velocity",
      exceeded: { kind: "count", limit: 3n, used: 3n, remaining: 0n },
    });
  });

  it("without an amount, a monthly cost counts, and without both only counts apply", () => {
    expect(run([ALLOW, PER_TX], { monthly_cost_usd: usd("6") }).ruleId).toBe("single");
    const both = { amount_usd: usd("1"), monthly_cost_usd: usd("6") };
    expect(run([ALLOW, PER_TX], both).decidedBy).toBe("allow");
    const used = () => usd("1000");
    expect(run([ALLOW, PER_TX, DAILY], {}, { used }).decidedBy).toBe("allow");
    expect(run([ALLOW, DAILY, VELOCITY], {}, { used }).ruleId).toBe("velocity");
  });

  it("lists the limits of a period that the operation counts in", () => {
    const unrelated: PolicyRule = { ...DAILY, id: "x402", operation: "x402" };
    const shared: PolicyRule = { ...VELOCITY, id: "shared", shared: true };
    const rules = [ALLOW, PER_TX, DAILY, unrelated, shared];
    expect(run(rules, { amount_usd: usd("1") }).windowLimits).toEqual([
      { ruleId: "daily", kind: "budget", max: usd("50"), isShared: false, period: "rolling_24h" },
      { ruleId: "shared", kind: "count", max: 3n, isShared: true, period: "rolling_1h" },
    ]);
    expect(run(rules).windowLimits.map(({ ruleId }) => ruleId)).toEqual(["shared"]);
  });
});

describe("any policy and any facts", () => {
  const anyUsed = fc.bigInt({ min: 0n, max: 10n ** 8n });
  const strictness = ["allow", "require_approval", "default", "limit", "deny"];
  const runs = { numRuns: 2_000 };

  it("random policies reach every outcome", () => {
    const decided = fc
      .sample(fc.tuple(anyPolicy, anyFacts), { numRuns: 2_000, seed: 15 })
      .map(([policy, facts]) => evaluate(policy, facts, EMPTY).decidedBy);
    for (const effect of strictness) {
      expect(decided.filter((one) => one === effect).length, effect).toBeGreaterThan(20);
    }
  });

  it("evaluate never throws", () => {
    fc.assert(
      fc.property(anyPolicy, anyFacts, anyUsed, (policy, facts, used) => {
        const { decidedBy, ruleId } = evaluate(policy, facts, { ...EMPTY, used: () => used });
        const ids = ["default", "threshold", ...policy.rules.map(({ id }) => id)];
        expect(strictness).toContain(decidedBy);
        expect(ids).toContain(ruleId);
      }),
      runs,
    );
  });

  it("another deny rule never allows more", () => {
    fc.assert(
      fc.property(anyPolicy, anyRule, fc.nat(), anyFacts, anyUsed, (policy, rule, at, facts, used) => {
        const { budget: _budget, count: _count, ...rest } = rule;
        const denying: PolicyRule = { ...rest, id: "another", effect: "deny" };
        const { rules, approvals } = policy.stored;
        const changed = parsePolicy({
          rules: rules.toSpliced(at % (rules.length + 1), 0, denying),
          approvals,
        });
        const context = { ...EMPTY, used: () => used };
        const before = evaluate(policy, facts, context).decidedBy;
        const after = evaluate(changed, facts, context).decidedBy;
        expect(strictness.indexOf(after)).toBeGreaterThanOrEqual(strictness.indexOf(before));
      }),
      runs,
    );
  });

  it("another order of the rules changes only which rule is named", () => {
    const anyOrder = anyPolicy.chain((policy) =>
      fc.tuple(
        fc.constant(policy),
        fc.shuffledSubarray([...policy.stored.rules], {
          minLength: policy.rules.length,
          maxLength: policy.rules.length,
        }),
      ),
    );
    fc.assert(
      fc.property(anyOrder, anyFacts, anyUsed, ([policy, rules], facts, used) => {
        const context = { ...EMPTY, used: () => used };
        const { approvals } = policy.stored;
        const before = evaluate(policy, facts, context);
        const after = evaluate(parsePolicy({ rules, approvals }), facts, context);
        expect(after.decidedBy).toBe(before.decidedBy);
        expect(after.approvalRuleIds.toSorted()).toEqual(before.approvalRuleIds.toSorted());
        const idsOf = ({ windowLimits }: typeof before) => windowLimits.map(({ ruleId }) => ruleId);
        expect(idsOf(after).sort()).toEqual(idsOf(before).sort());
      }),
      runs,
    );
  });

  it("an approval of all rules that require approval allows the operation", () => {
    fc.assert(
      fc.property(anyPolicy, anyFacts, (policy, facts) => {
        const before = evaluate(policy, facts, EMPTY);
        fc.pre(before.decidedBy === "require_approval");
        const satisfied = new Set(before.approvalRuleIds);
        expect(evaluate(policy, facts, { ...EMPTY, satisfied }).decidedBy).toBe("allow");
      }),
    );
  });
});
