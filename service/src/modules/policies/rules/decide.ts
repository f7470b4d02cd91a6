import type { PolicyId } from "../../../foundation/ids.ts";
import { KYA_LEVELS, type KyaLevel, type PolicyOutcome } from "../../../foundation/vocabulary.ts";
import type { CompiledPolicyRules, CompiledRule, WindowLimit } from "./compiled-policy.ts";
import { DECIDING_EFFECTS, type Evaluation, type EvaluationContext, type ExceededLimit, evaluate } from "./evaluate.ts";
import type { PolicyFacts } from "./facts.ts";
import { comparableFactsOf, isMatch } from "./match-rule.ts";

/** A version of a policy that applies to an operation. */
export interface ApplicablePolicy {
  readonly policyId: PolicyId;
  readonly version: number;
  readonly rules: CompiledPolicyRules;
}

/** A know-your-agent level that a deny rule requires. */
interface RequiredKyaLevel {
  readonly requiredLevel: KyaLevel;
  readonly actualLevel: KyaLevel;
}

export interface PolicyDecision<Policy extends ApplicablePolicy = ApplicablePolicy> {
  readonly outcome: PolicyOutcome;
  /** The policy and the rule that decided. Null if no policy applies. */
  readonly policyId: PolicyId | null;
  readonly policyVersion: number | null;
  readonly ruleId: string | null;
  /** Only if a limit refused. */
  readonly exceeded: ExceededLimit | undefined;
  /** Only if a deny rule refused that would not match at a higher level. */
  readonly kya: RequiredKyaLevel | undefined;
  /** The rules of all policies that ask a person. Empty unless the outcome is `require_approval`. */
  readonly approvalRules: readonly {
    readonly policyId: PolicyId;
    readonly policyVersion: number;
    readonly ruleId: string;
  }[];
  /** The limits of a period that the operation counts in. */
  readonly windowLimits: readonly { readonly policy: Policy; readonly limit: WindowLimit }[];
}

/** What one policy decides alone. */
interface Evaluated<Policy extends ApplicablePolicy = ApplicablePolicy> {
  readonly policy: Policy;
  readonly evaluation: Evaluation;
}

/**
 * Evaluates all policies that apply, and decides by them. The strictest outcome wins. Of equally strict ones, the one of the
 * first policy by id. A policy can occur several times, for example for an agent and for its parent. Without a policy,
 * everything is allowed.
 */
export function decide<Policy extends ApplicablePolicy>(
  policies: readonly Policy[],
  facts: PolicyFacts,
  contextOf: (policy: Policy) => EvaluationContext,
): PolicyDecision<Policy> {
  const evaluated = policies
    .map((policy): Evaluated<Policy> => ({ policy, evaluation: evaluate(policy.rules, facts, contextOf(policy)) }))
    .sort((a, b) => compareText(a.policy.policyId, b.policy.policyId));
  const deciding = strictestOf(evaluated);
  const ruleId = deciding?.evaluation.ruleId ?? null;
  const outcome = deciding === undefined ? "allow" : outcomeOf(deciding.evaluation);
  return {
    outcome,
    policyId: deciding?.policy.policyId ?? null,
    policyVersion: deciding?.policy.version ?? null,
    ruleId,
    exceeded: deciding?.evaluation.exceeded,
    kya: deciding === undefined ? undefined : requiredKyaLevelOf(deciding, facts),
    approvalRules: outcome === "require_approval" ? approvalRulesOf(evaluated) : [],
    windowLimits: evaluated.flatMap(({ policy, evaluation }) =>
      evaluation.windowLimits.map((limit) => ({ policy, limit })),
    ),
  };
}

/** Returns what a policy's evaluation means for the operation. */
export function outcomeOf({ decidedBy }: Evaluation): PolicyOutcome {
  return decidedBy === "allow" || decidedBy === "require_approval" ? decidedBy : "deny";
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function strictestOf<Policy extends ApplicablePolicy>(evaluated: readonly Evaluated<Policy>[]) {
  return DECIDING_EFFECTS.flatMap((effect) => evaluated.filter(({ evaluation }) => evaluation.decidedBy === effect))[0];
}

/** Returns each rule that requires approval once, even if its policy occurs several times. */
function approvalRulesOf(evaluated: readonly Evaluated[]) {
  const asking = evaluated.flatMap(({ policy: { policyId, version }, evaluation }) =>
    evaluation.approvalRuleIds.map((ruleId) => ({ policyId, policyVersion: version, ruleId })),
  );
  const byId = new Map(asking.map((rule) => [`${rule.policyId} ${rule.ruleId}`, rule]));
  return [...byId.values()];
}

/** Returns the lowest higher level at which the deciding deny rule would not match. */
function requiredKyaLevelOf({ policy, evaluation }: Evaluated, facts: PolicyFacts): RequiredKyaLevel | undefined {
  const { kya_level: actualLevel } = facts;
  if (evaluation.decidedBy !== "deny" || actualLevel === undefined) return undefined;
  const rule = policy.rules.rules.find(({ id }) => id === evaluation.ruleId);
  const requiredLevel = KYA_LEVELS.slice(KYA_LEVELS.indexOf(actualLevel) + 1).find(
    (level) => !isMatchAt(level, rule, facts),
  );
  return requiredLevel === undefined ? undefined : { requiredLevel, actualLevel };
}

function isMatchAt(kya_level: KyaLevel, rule: CompiledRule | undefined, facts: PolicyFacts) {
  return rule !== undefined && isMatch(rule, comparableFactsOf({ ...facts, kya_level }));
}
