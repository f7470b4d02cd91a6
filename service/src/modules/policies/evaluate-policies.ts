import type { App } from "../../app.ts";
import { invalidField } from "../../foundation/errors.ts";
import { isId, type PolicyId } from "../../foundation/ids.ts";
import {
  findPolicyRow,
  listApplicablePolicies,
  type Policy,
  type PolicyOwner,
  type PolicySubjects,
} from "./queries.ts";
import {
  type CompiledPolicyRules,
  compilePolicy,
  type WindowLimit,
} from "./rules/compiled-policy.ts";
import { type ApplicablePolicy, decide, outcomeOf, type PolicyDecision } from "./rules/decide.ts";
import { type Evaluation, evaluate } from "./rules/evaluate.ts";
import { type ExplainedRule, explain } from "./rules/explain.ts";
import type { PolicyFacts } from "./rules/facts.ts";
import { parsePolicy } from "./rules/parse-rules.ts";
import { STARTER_RULES } from "./starter-rules.ts";

export interface LimitUsage {
  /** Millionths of a US dollar, or a number of operations. */
  readonly used: bigint;
  /** When it decreases next. Null if it never does. */
  readonly resetsAt: Date | null;
}

/** Returns what is used of a limit. */
export type UsageOf = (policy: ApplicablePolicy, limit: WindowLimit) => LimitUsage;

export const NOTHING_USED: UsageOf = () => ({ used: 0n, resetsAt: null });

/** The policies to evaluate: those that are stored for the subjects, one of them, a draft, or the given ones. */
export type EvaluatedPolicies =
  | { readonly kind: "given"; readonly policies: readonly ApplicablePolicy[] }
  | { readonly kind: "applicable"; readonly subjects: PolicySubjects }
  | { readonly kind: "stored"; readonly policyId: string }
  | { readonly kind: "draft"; readonly rules: CompiledPolicyRules };

export interface EvaluatePolicies {
  readonly owner: PolicyOwner;
  readonly policies: EvaluatedPolicies;
  readonly facts: PolicyFacts;
}

export interface PolicyEvaluation {
  readonly decision: PolicyDecision;
  /** When the used amount of the exceeded limit decreases next. */
  readonly resetsAt: Date | null;
  readonly policies: readonly {
    /** `DRAFT_ID` if the policy is not stored. */
    readonly policyId: PolicyId;
    readonly version: number;
    readonly outcome: PolicyDecision["outcome"];
    readonly ruleId: string;
    readonly rules: readonly ExplainedRule[];
  }[];
}

/** The id of a policy that is not stored. */
export const DRAFT_ID: PolicyId = "pol_draft";

/** Decides about an operation without doing it, and explains each rule. Changes nothing. */
export async function evaluatePolicies(
  { db }: Pick<App, "db">,
  { owner, policies, facts }: EvaluatePolicies,
  usageOf: UsageOf,
): Promise<PolicyEvaluation> {
  const applicable = await loadPolicies(db, owner, policies);
  const contextOf = (policy: ApplicablePolicy) => ({
    used: (limit: WindowLimit) => usageOf(policy, limit).used,
    satisfied: new Set<string>(),
  });
  const decision = decide(applicable, facts, contextOf);
  return {
    decision,
    resetsAt: resetsAtOf(decision, applicable, usageOf),
    policies: applicable.map((policy) => ({
      policyId: policy.policyId,
      version: policy.version,
      ...presented(evaluate(policy.rules, facts, contextOf(policy))),
      rules: explain(policy.rules, facts),
    })),
  };
}

async function loadPolicies(
  db: App["db"],
  owner: PolicyOwner,
  policies: EvaluatedPolicies,
): Promise<readonly ApplicablePolicy[]> {
  switch (policies.kind) {
    case "given":
      return policies.policies;
    case "draft":
      return [{ policyId: DRAFT_ID, version: 1, rules: policies.rules }];
    case "stored": {
      const { policyId } = policies;
      const policy = isId("pol", policyId)
        ? await findPolicyRow(db, { ...owner, policyId, agentIds: [] })
        : undefined;
      if (policy !== undefined) return [applicableOf(policy)];
      const detail = `is not a ${owner.mode} policy of this account`;
      throw invalidField("/body/policy_id", "unknown", detail);
    }
    case "applicable": {
      const stored = await listApplicablePolicies(db, { ...owner, ...policies.subjects });
      if (stored.length > 0) return stored.map(applicableOf);
      // The starter policy is created when an agent needs it. Until then its first version is evaluated.
      const rules = parsePolicy({ rules: STARTER_RULES[owner.mode] });
      return [{ policyId: DRAFT_ID, version: 1, rules }];
    }
  }
}

function applicableOf({ policyId, version, rules, approvals }: Policy): ApplicablePolicy {
  return { policyId, version, rules: compilePolicy({ rules, approvals }) };
}

function presented(evaluation: Evaluation) {
  return { outcome: outcomeOf(evaluation), ruleId: evaluation.ruleId };
}

function resetsAtOf(
  { exceeded, policyId, ruleId }: PolicyDecision,
  policies: readonly ApplicablePolicy[],
  usageOf: UsageOf,
): Date | null {
  const policy = policies.find((one) => one.policyId === policyId);
  const limit = policy?.rules.rules.find(({ id }) => id === ruleId)?.limit;
  if (exceeded === undefined || policy === undefined || limit === undefined) return null;
  return limit.period === "per_tx" ? null : usageOf(policy, limit).resetsAt;
}
