import type { App } from "../../app.ts";
import { invalidField } from "../../foundation/errors.ts";
import { isId, type PolicyId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { STARTER_RULES } from "./ensure-starter-policy.ts";
import { findPolicyRow, type PolicyOwner } from "./queries.ts";
import { type CompiledPolicyRules, compilePolicy, type WindowLimit } from "./rules/compiled-policy.ts";
import { type ApplicablePolicy, decide, outcomeOf, type PolicyDecision } from "./rules/decide.ts";
import { type EvaluationContext, evaluate } from "./rules/evaluate.ts";
import { type ExplainedRule, explain } from "./rules/explain.ts";
import type { PolicyFacts } from "./rules/facts.ts";
import { parsePolicy } from "./rules/parse-rules.ts";

interface LimitUsage {
  /** Millionths of a US dollar, or a number of operations. */
  readonly used: bigint;
  /** When it decreases next. Null if it never does. */
  readonly resetsAt: Date | null;
}

/** Returns what is used of a limit. */
type UsageOf<Policy extends ApplicablePolicy> = (policy: Policy, limit: WindowLimit) => LimitUsage;

const NOTHING_USED: UsageOf<ApplicablePolicy> = () => ({ used: 0n, resetsAt: null });
const NO_RULES: ReadonlySet<string> = new Set();

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

/** Decides about an operation by the given policies, and explains each rule. */
export function evaluatePolicies<Policy extends ApplicablePolicy>(
  policies: readonly Policy[],
  facts: PolicyFacts,
  usageOf: UsageOf<Policy> = NOTHING_USED,
): PolicyEvaluation {
  const contextOf = (policy: Policy): EvaluationContext => ({
    used: (limit) => usageOf(policy, limit).used,
    satisfied: NO_RULES,
  });
  const decision = decide(policies, facts, contextOf);
  return {
    decision,
    resetsAt: resetsAtOf(decision, policies, usageOf),
    policies: policies.map((policy) => {
      const { policyId, version, rules } = policy;
      const evaluation = evaluate(rules, facts, contextOf(policy));
      const { ruleId } = evaluation;
      return { policyId, version, outcome: outcomeOf(evaluation), ruleId, rules: explain(rules, facts) };
    }),
  };
}

/** Returns a policy that is not stored. */
export function draftOf(rules: CompiledPolicyRules): ApplicablePolicy {
  return { policyId: DRAFT_ID, version: 1, rules };
}

/** Returns the first version of a mode's starter policy, which is stored when an agent needs it. */
export function starterDraft(mode: Mode): ApplicablePolicy {
  return draftOf(parsePolicy({ rules: STARTER_RULES[mode] }));
}

/** Returns a stored policy. Throws `validation_error` for an unknown one. */
export async function readApplicablePolicy(
  { db }: Pick<App, "db">,
  owner: PolicyOwner,
  policyId: string,
): Promise<ApplicablePolicy> {
  const policy = isId("pol", policyId) ? await findPolicyRow(db, { ...owner, policyId, agentIds: [] }) : undefined;
  if (policy === undefined) {
    const detail = `is not a ${owner.mode} policy of this account`;
    throw invalidField("/body/policy_id", "unknown", detail);
  }
  const { version, rules, approvals } = policy;
  return { policyId: policy.policyId, version, rules: compilePolicy({ rules, approvals }) };
}

function resetsAtOf<Policy extends ApplicablePolicy>(
  { exceeded, policyId, ruleId }: PolicyDecision,
  policies: readonly Policy[],
  usageOf: UsageOf<Policy>,
): Date | null {
  const policy = policies.find((one) => one.policyId === policyId);
  const limit = policy?.rules.rules.find(({ id }) => id === ruleId)?.limit;
  if (exceeded === undefined || policy === undefined || limit === undefined) return null;
  return limit.period === "per_tx" ? null : usageOf(policy, limit).resetsAt;
}
