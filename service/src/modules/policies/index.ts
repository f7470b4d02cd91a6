export { bindPolicy, throwIfBoundToLess } from "./bind-policy.ts";
export { createPolicy, deletePolicy, type PolicyChange, rollBackPolicy, updatePolicy } from "./change-policy.ts";
export { BacktestResource, backtestPolicy, presentBacktest } from "./decisions/backtest-policy.ts";
export { ensureStarterPolicy } from "./ensure-starter-policy.ts";
export {
  draftOf,
  evaluatePolicies,
  type PolicyEvaluation,
  readApplicablePolicy,
  starterDraft,
} from "./evaluate-policies.ts";
export { PolicyEvaluationResource, presentEvaluation, presentRefusal } from "./evaluation-resource.ts";
export { limitRefusal, type PolicyLimit, policyLimitOf } from "./policy-limits.ts";
export { PolicyResource, presentPolicy } from "./policy-resource.ts";
export {
  findPolicyRow as findPolicy,
  getPolicy,
  listPolicies,
  type PolicyContent,
  type PolicyKey,
  raisePolicyRevision,
  readPolicyRevision,
  requireRevisionWithNext,
} from "./queries.ts";
export {
  type CompiledPolicyRules,
  compilePolicy,
  type WindowLimit,
} from "./rules/compiled-policy.ts";
export { type ApplicablePolicy, decide, type PolicyDecision } from "./rules/decide.ts";
export { type Evaluation, evaluate } from "./rules/evaluate.ts";
export { type PolicyFacts, storedFactsOf } from "./rules/facts.ts";
export { canonicalText, parseNewPolicy, parsePolicy } from "./rules/parse-rules.ts";
export { PolicyApprovals, type PolicyRule, PolicyRules } from "./rules/rule-schema.ts";
