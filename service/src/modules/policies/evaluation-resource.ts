import { type Static, Type } from "typebox";
import { POLICY_OUTCOMES } from "../../foundation/vocabulary.ts";
import { Nullable } from "../../foundation/wire/fields.ts";
import { Decision } from "../../foundation/wire/problem.ts";
import { DRAFT_ID, type PolicyEvaluation } from "./evaluate-policies.ts";
import { presentRefusal } from "./present-refusal.ts";
import { RULE_EFFECTS } from "./rules/rule-schema.ts";

const Outcome = Type.Enum([...POLICY_OUTCOMES]);
const PolicyId = {
  ...Nullable(Type.String()),
  description: "The policy. Null for a policy that is not stored.",
};
const PolicyVersion = {
  ...Nullable(Type.Integer()),
  description: "The version of the policy. Null for a policy that is not stored.",
};
const RuleId = Type.String({
  description:
    "The rule that decides: its id, `default` if no rule permits the operation, or `threshold` for an amount above `threshold_usd`.",
});

export const PolicyEvaluationResource = Type.Object(
  {
    object: Type.Literal("policy_evaluation"),
    outcome: Outcome,
    policy_id: PolicyId,
    policy_version: PolicyVersion,
    rule_id: RuleId,
    decision: {
      ...Nullable(Decision),
      description: "As in the error that the operation would get. Null unless it is refused.",
    },
    policies: Type.Array(
      Type.Object({
        policy_id: PolicyId,
        version: PolicyVersion,
        outcome: Outcome,
        rule_id: RuleId,
        rules: Type.Array(
          Type.Object({
            rule_id: Type.String(),
            effect: Type.Enum([...RULE_EFFECTS]),
            matched: Type.Boolean({ description: "Whether the rule is about this operation." }),
            reason: Type.String({ description: "Why the rule matches, or why it does not." }),
          }),
        ),
      }),
      { description: "Each policy that applies, with what it decides alone." },
    ),
  },
  { $id: "PolicyEvaluation", description: "What policies decide about an operation." },
);

export function presentEvaluation({
  decision,
  resetsAt,
  policies,
}: PolicyEvaluation): Static<typeof PolicyEvaluationResource> {
  const isDraft = decision.policyId === DRAFT_ID;
  const shown = isDraft ? { ...decision, policyId: null, policyVersion: null } : decision;
  return {
    object: "policy_evaluation",
    outcome: shown.outcome,
    policy_id: shown.policyId,
    policy_version: shown.policyVersion,
    rule_id: shown.ruleId ?? "default",
    decision: presentRefusal(shown, resetsAt),
    policies: policies.map(({ policyId, version, outcome, ruleId, rules }) => ({
      policy_id: policyId === DRAFT_ID ? null : policyId,
      version: policyId === DRAFT_ID ? null : version,
      outcome,
      rule_id: ruleId,
      rules: rules.map((rule) => ({
        rule_id: rule.ruleId,
        effect: rule.effect,
        matched: rule.matched,
        reason: rule.reason,
      })),
    })),
  };
}
