import { inspect, isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../../../test/campaign.ts";
import { CONDITION_KINDS, conditionKindsOf, randomPolicyCase } from "../../../../test/policies/random-policy-case.ts";
import {
  decideByReference,
  millionthsOf,
  type PolicyCase,
  type ReferenceDecision,
} from "../../../../test/policies/reference-policy.ts";
import type { WindowLimit } from "./compiled-policy.ts";
import { evaluate } from "./evaluate.ts";
import { factsOf } from "./facts.ts";
import { parsePolicy } from "./parse-rules.ts";
import { RULE_EFFECTS } from "./rule-schema.ts";

/** Seeds are the numbers from 1, so that a campaign that is longer decides the same cases and more. */
const CASES = repetitions(5_000);
const MAX_MS = testMaxMs(30_000);

const OUTCOMES = ["allow", "require_approval", "deny", "limit", "default"];
const DECIDING_KINDS = [
  ...RULE_EFFECTS.flatMap((effect) => [...CONDITION_KINDS].map((kind) => `${effect} ${kind}`)),
  ...["budget", "count", "per_tx", "shared budget", "shared count"].map((kind) => `limit ${kind}`),
  "threshold",
  "allow by an approved rule",
];

describe("a policy", () => {
  it(
    "decides as an independent reference does",
    () => {
      const cases = new Map<string, number>();
      for (let seed = 1; seed <= CASES; seed += 1) {
        const policyCase = randomPolicyCase(seed);
        const decision = decideByReference(policyCase);
        expectDecision(seed, policyCase, decision);
        for (const kind of [decision.decidedBy, ...decidingKindsOf(policyCase, decision)]) {
          cases.set(kind, (cases.get(kind) ?? 0) + 1);
        }
      }

      if (isCampaign) process.stderr.write(`${inspect(cases, { maxArrayLength: null })}\n`);
      expect(rarerThan(0.1, OUTCOMES, cases)).toEqual([]);
      expect(rarerThan(0.01, DECIDING_KINDS, cases)).toEqual([]);
    },
    MAX_MS,
  );
});

function expectDecision(seed: number, policyCase: PolicyCase, expected: ReferenceDecision) {
  const actual = decide(policyCase);
  // `expect` is slow. It only has to print the difference.
  if (isDeepStrictEqual(actual, expected)) return;
  expect(actual, `case ${seed}: ${JSON.stringify(policyCase, null, 2)}`).toEqual(expected);
}

function rarerThan(share: number, kinds: readonly string[], cases: ReadonlyMap<string, number>) {
  return kinds.map((kind) => ({ kind, cases: cases.get(kind) ?? 0 })).filter((found) => found.cases < share * CASES);
}

function decide({ rules, approvals, operation, at, facts, used, satisfied }: PolicyCase) {
  const compiled = parsePolicy({ rules: [...rules], approvals });
  const evaluation = evaluate(compiled, factsOf(operation, new Date(at), facts), {
    used: (limit) => usedOf(limit, rules, used),
    satisfied: new Set(satisfied),
  });
  const { decidedBy, ruleId, approvalRuleIds, exceeded, windowLimits } = evaluation;
  return {
    decidedBy,
    ruleId,
    approvalRuleIds,
    exceeded,
    countedIn: windowLimits.map((limit) => limit.ruleId),
  };
}

/** Returns what is used of the limit, and throws if its period or unit is not the rule's. */
function usedOf(limit: WindowLimit, rules: PolicyCase["rules"], used: PolicyCase["used"]): bigint {
  const rule = rules.find(({ id }) => id === limit.ruleId);
  expect({ kind: limit.kind, period: limit.period }).toEqual(
    rule?.count === undefined
      ? { kind: "budget", period: rule?.budget?.period }
      : { kind: "count", period: rule.count.period },
  );
  const usedOfLimit = used[limit.ruleId];
  const text = (limit.isShared ? usedOfLimit?.byAllAgents : usedOfLimit?.byAgent) ?? "";
  return limit.kind === "count" ? BigInt(text) : millionthsOf(text);
}

/** Returns the kinds of conditions and limits in the rule that decides. */
function decidingKindsOf({ rules }: PolicyCase, { decidedBy, ruleId }: ReferenceDecision): string[] {
  const rule = rules.find(({ id }) => id === ruleId);
  if (rule === undefined) return ruleId === "threshold" ? ["threshold"] : [];
  if (decidedBy !== rule.effect) return [`${decidedBy} by an approved rule`];
  const { effect, when = {}, budget, count, shared = false } = rule;
  const conditions = conditionKindsOf(when).map((kind) => `${effect} ${kind}`);
  if (effect !== "limit") return conditions;
  const limit = budget?.period === "per_tx" ? "per_tx" : count === undefined ? "budget" : "count";
  return [...conditions, shared && limit !== "per_tx" ? `limit shared ${limit}` : `limit ${limit}`];
}
