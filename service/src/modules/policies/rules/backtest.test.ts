import { describe, expect, it } from "vitest";
import { usdMicros } from "../../../foundation/money.ts";
import type { BudgetPeriod } from "../../../foundation/vocabulary.ts";
import { type PastDecision, startBacktest } from "./backtest.ts";
import { parsePolicy } from "./parse-rules.ts";
import type { PolicyRule } from "./rule-schema.ts";

const ALLOW: PolicyRule = { id: "all", effect: "allow" };
const usd = (dollars: number) => usdMicros(BigInt(dollars) * 1_000_000n);
const total = (operations = 0, dollars = 0) => ({ operations, amountUsd: usd(dollars) });
const NONE = { allowed: total(), refused: total(), asked: total() };

function decisionAt(at: string, dollars = 10, changes: Partial<PastDecision> = {}): PastDecision {
  const facts = { operation: "payment", at: new Date(at), amount_usd: usd(dollars) } as const;
  return { agentId: "agent", facts, outcome: "allow", ...changes };
}

function run(rules: readonly PolicyRule[], decisions: readonly PastDecision[]) {
  const replay = startBacktest(parsePolicy({ rules, approvals: { threshold_usd: "50" } }));
  for (const decision of decisions) replay.add(decision);
  return replay.result();
}

/** Returns `yes` or `no` for each time: whether a second operation would be allowed by a limit for one. */
function allowedAfter(first: string, period: BudgetPeriod, times: readonly string[]) {
  const cap: PolicyRule = { id: "cap", effect: "limit", budget: { max: "10", period } };
  return times.map((time) => {
    const { totals } = run([ALLOW, cap], [decisionAt(first), decisionAt(time)]);
    return totals.refused.operations === 0 ? "yes" : "no";
  });
}

describe("a back-test", () => {
  it("returns totals, and totals for each rule and each day in UTC", () => {
    const rules: PolicyRule[] = [ALLOW, { id: "big", effect: "deny", when: { amount_usd: { gt: "100" } } }];
    const result = run(rules, [
      decisionAt("2026-11-21T10:00:00Z", 10),
      decisionAt("2026-11-21T23:59:59Z", 200),
      decisionAt("2026-11-22T00:00:00Z", 60),
      decisionAt("2026-11-22T10:00:00Z", 20, { outcome: "deny" }),
    ]);
    expect(result).toEqual({
      totals: { allowed: total(2, 30), refused: total(1, 200), asked: total(1, 60) },
      byRule: [
        { ruleId: "all", ...NONE, allowed: total(2, 30) },
        { ruleId: "big", ...NONE, refused: total(1, 200) },
        { ruleId: "threshold", ...NONE, asked: total(1, 60) },
      ],
      byDay: [
        { day: "2026-11-21", ...NONE, allowed: total(1, 10), refused: total(1, 200) },
        { day: "2026-11-22", ...NONE, allowed: total(1, 20), asked: total(1, 60) },
      ],
    });
  });

  it("no decisions: everything is zero", () => {
    expect(run([ALLOW], [])).toEqual({ totals: NONE, byRule: [], byDay: [] });
  });

  it("an operation without an amount has the amount of its monthly cost, else zero", () => {
    const at = new Date("2026-11-21T10:00:00Z");
    const facts = { operation: "service.add", at } as const;
    const { totals } = run(
      [ALLOW],
      [decisionAt("", 0, { facts: { ...facts, monthly_cost_usd: usd(7) } }), decisionAt("", 0, { facts })],
    );
    expect(totals.allowed).toEqual(total(2, 7));
  });

  it.each<[BudgetPeriod, string, readonly string[]]>([
    ["rolling_1h", "2026-11-21T10:15:59Z", ["2026-11-21T11:15:59.999Z", "2026-11-21T11:16:00Z"]],
    ["rolling_24h", "2026-11-21T10:59:59Z", ["2026-11-22T10:59:59.999Z", "2026-11-22T11:00:00Z"]],
    ["rolling_7d", "2026-11-21T10:59:59Z", ["2026-11-28T10:59:59.999Z", "2026-11-28T11:00:00Z"]],
    ["rolling_30d", "2026-11-21T10:00:00Z", ["2026-12-21T10:59:59.999Z", "2026-12-21T11:00:00Z"]],
    ["calendar_day", "2026-11-21T00:00:00Z", ["2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00Z"]],
    ["calendar_month", "2026-11-01T00:00:00Z", ["2026-11-30T23:59:59.999Z", "2026-12-01T00:00:00Z"]],
  ])("%s: what was used leaves the window when it does in a budget", (period, first, times) => {
    expect(allowedAfter(first, period, times)).toEqual(["no", "yes"]);
  });

  it("limits count each agent for itself, and all agents if they are shared", () => {
    const cap: PolicyRule = {
      id: "cap",
      effect: "limit",
      count: { max: 1, period: "rolling_24h" },
    };
    const decisions = [
      decisionAt("2026-11-21T10:00:00Z", 1, { agentId: "a" }),
      decisionAt("2026-11-21T10:00:01Z", 1, { agentId: "b" }),
      decisionAt("2026-11-21T10:00:02Z", 1, { agentId: "b" }),
    ];
    expect(run([ALLOW, cap], decisions).totals.refused.operations).toBe(1);
    const shared = run([ALLOW, { ...cap, shared: true }], decisions);
    expect(shared.totals.refused.operations).toBe(2);
  });

  it("a count grows by one with each operation, a budget by its amount", () => {
    const count: PolicyRule = {
      id: "count",
      effect: "limit",
      count: { max: 2, period: "calendar_day" },
    };
    const budget: PolicyRule = {
      id: "budget",
      effect: "limit",
      budget: { max: "25", period: "calendar_day" },
    };
    const decisions = [1, 2, 3].map((hour) => decisionAt(`2026-11-21T0${hour}:00:00Z`, 10));
    expect(run([ALLOW, count], decisions).totals).toMatchObject({
      allowed: total(2, 20),
      refused: total(1, 10),
    });
    expect(run([ALLOW, budget], decisions).totals).toMatchObject({
      allowed: total(2, 20),
      refused: total(1, 10),
    });
  });

  it("only operations that were allowed, and that the draft allows, count in limits", () => {
    const cap: PolicyRule = {
      id: "cap",
      effect: "limit",
      count: { max: 1, period: "rolling_24h" },
    };
    const last = decisionAt("2026-11-21T12:00:00Z");
    const refusedAfter = (decision: PastDecision) => run([ALLOW, cap], [decision, last]).totals.refused.operations;
    expect(refusedAfter(decisionAt("2026-11-21T10:00:00Z"))).toBe(1);
    expect(refusedAfter(decisionAt("2026-11-21T10:00:00Z", 10, { outcome: "deny" }))).toBe(0);
    const waiting = decisionAt("2026-11-21T10:00:00Z", 10, { outcome: "require_approval" });
    expect(refusedAfter(waiting)).toBe(0);
    expect(refusedAfter(decisionAt("2026-11-21T10:00:00Z", 60))).toBe(0);
  });
});
