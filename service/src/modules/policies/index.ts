export { bindPolicy } from "./bind-policy.ts";
export { createPolicy } from "./create-policy.ts";
export { backtestPolicy } from "./decisions/backtest-policy.ts";
export { BacktestResource, presentBacktest } from "./decisions/backtest-resource.ts";
export { deletePolicy } from "./delete-policy.ts";
export { ensureStarterPolicy } from "./ensure-starter-policy.ts";
export {
  draftOf,
  evaluatePolicies,
  type PolicyEvaluation,
  readApplicablePolicy,
  starterDraft,
} from "./evaluate-policies.ts";
export { PolicyEvaluationResource, presentEvaluation } from "./evaluation-resource.ts";
export { getPolicy } from "./get-policy.ts";
export { listPolicies } from "./list-policies.ts";
export { PolicyResource, presentPolicy } from "./policy-resource.ts";
export { presentRefusal } from "./present-refusal.ts";
export { findPolicyRow as findPolicy, type PolicyContent, type PolicyKey } from "./queries.ts";
export { raisePolicyRevision } from "./raise-policy-revision.ts";
export { rollBackPolicy } from "./roll-back-policy.ts";
export { canonicalText } from "./rules/canonical-rules.ts";
export {
  type CompiledPolicyRules,
  compilePolicy,
  type WindowLimit,
} from "./rules/compiled-policy.ts";
export { type ApplicablePolicy, decide, type PolicyDecision } from "./rules/decide.ts";
export { type Evaluation, evaluate } from "./rules/evaluate.ts";
export { type PolicyFacts, storedFactsOf } from "./rules/facts.ts";
export { parseNewPolicy, parsePolicy } from "./rules/parse-rules.ts";
export { PolicyApprovals, type PolicyRule, PolicyRules } from "./rules/rule-schema.ts";
export { throwIfBoundToLess } from "./throw-if-asks-less.ts";
export { type PolicyChange, updatePolicy } from "./update-policy.ts";
