import { usdMicros } from "@purser/service/foundation/money.ts";
import { type Evaluation, evaluate } from "@purser/service/modules/policies/rules/evaluate.ts";
import type { PolicyFacts } from "@purser/service/modules/policies/rules/facts.ts";
import { parsePolicy } from "@purser/service/modules/policies/rules/parse-rules.ts";
import type { PolicyRule } from "@purser/service/modules/policies/rules/rule-schema.ts";

const WARM_UP = 5_000;
const EVALUATIONS = 50_000;
const RULES = 50;
const PAYEES_PER_RULE = 20;

export interface PolicyFigures {
  readonly rules: number;
  readonly evaluations: number;
  readonly medianMicros: number;
  readonly p99Micros: number;
}

/**
 * Measures how long Purser takes to evaluate a policy with 50 rules about the same operation. The operation is allowed,
 * so that no rule is skipped.
 */
export function measurePolicy(): PolicyFigures {
  const policy = parsePolicy({
    rules: Array.from({ length: RULES }, (_, index) => ruleAt(index)),
    approvals: { threshold_usd: "1000000" },
  });
  const context = { used: () => 1_000_000n, satisfied: new Set<string>() };
  const samplesMicros: number[] = [];
  for (let round = 0; round < WARM_UP + EVALUATIONS; round += 1) {
    const facts = factsAt(round);
    const startedMs = performance.now();
    const evaluation = evaluate(policy, facts, context);
    const elapsedMs = performance.now() - startedMs;
    throwUnlessAllowed(evaluation);
    if (round >= WARM_UP) samplesMicros.push(elapsedMs * 1_000);
  }
  samplesMicros.sort((a, b) => a - b);
  const at = (share: number) => samplesMicros[Math.floor(samplesMicros.length * share)] ?? Number.NaN;
  return { rules: RULES, evaluations: EVALUATIONS, medianMicros: at(0.5), p99Micros: at(0.99) };
}

/** Returns rules of each effect and with each kind of condition. */
function ruleAt(index: number): PolicyRule {
  const id = `rule_${index}`;
  switch (index % 5) {
    case 0:
      return {
        id,
        effect: "deny",
        operation: "payment",
        when: { amount_usd: { gt: "500" }, time_utc: { outside: "06:00-22:00" } },
      };
    case 1:
      return { id, effect: "limit", budget: { max: "100000", period: "rolling_24h" } };
    case 2:
      return { id, effect: "limit", count: { max: 2_000_000, period: "rolling_1h" } };
    case 3:
      return {
        id,
        effect: "require_approval",
        when: { network: { in: ["base", "optimism"] }, kya_level: { in: ["none", "basic"] } },
      };
    default: {
      const payees = Array.from({ length: PAYEES_PER_RULE }, (_, at) => `payee-${index}-${at}`);
      return { id, effect: "allow", operation: "payment", when: { payee: { in: payees } } };
    }
  }
}

function factsAt(round: number): PolicyFacts {
  return {
    operation: "payment",
    at: new Date(Date.UTC(2026, 10, 23, 12, round % 60)),
    amount_usd: usdMicros(BigInt(1_000_000 + round)),
    payee: `payee-${RULES - 1}-${round % PAYEES_PER_RULE}`,
    network: "base",
    token: "USDC",
    kya_level: "verified",
    payee_first_seen: false,
  };
}

function throwUnlessAllowed({ decidedBy, ruleId }: Evaluation): void {
  if (decidedBy !== "allow") throw new Error(`The policy's rule ${ruleId} did not allow.`);
}
