import { type Static, Type } from "typebox";
import { formatUsdMicros, usdMicros } from "../../foundation/money.ts";
import { type KyaLevel, POLICY_OUTCOMES } from "../../foundation/vocabulary.ts";
import { Flag, ListOf, Nullable, Text } from "../../foundation/wire/fields.ts";
import { Decision } from "../../foundation/wire/problem.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { DRAFT_ID, type PolicyEvaluation } from "./evaluate-policies.ts";
import type { PolicyDecision } from "./rules/decide.ts";
import type { ExceededLimit } from "./rules/evaluate.ts";
import { RULE_EFFECTS } from "./rules/rule-schema.ts";

const Outcome = Type.Enum([...POLICY_OUTCOMES]);
const PolicyId = Nullable(Type.String(), "The policy. Null for a policy that is not stored.");
const PolicyVersion = Nullable(Type.Integer(), "The version of the policy. Null for a policy that is not stored.");
const RuleId = Text(
  "The rule that decides: its id, `default` if no rule permits the operation, or `threshold` for an amount above `threshold_usd`.",
);

const RuleResult = Type.Object({
  rule_id: Type.String(),
  effect: Type.Enum([...RULE_EFFECTS]),
  matched: Flag("Whether the rule is about this operation."),
  reason: Text("Why the rule matches, or why it does not."),
});

export const PolicyEvaluationResource = Type.Object(
  {
    object: Type.Literal("policy_evaluation"),
    outcome: Outcome,
    policy_id: PolicyId,
    policy_version: PolicyVersion,
    rule_id: RuleId,
    decision: Nullable(Decision, "As in the error that the operation would get. Null unless it is refused."),
    policies: ListOf(
      Type.Object({
        policy_id: PolicyId,
        version: PolicyVersion,
        outcome: Outcome,
        rule_id: RuleId,
        rules: Type.Array(RuleResult),
      }),
      "Each policy that applies, with what it decides alone.",
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
  return toWire(PolicyEvaluationResource, shown, {
    rule_id: shown.ruleId ?? "default",
    decision: presentRefusal(shown, resetsAt),
    policies: policies.map(({ policyId, version, outcome, ruleId, rules }) => ({
      policy_id: policyId === DRAFT_ID ? null : policyId,
      version: policyId === DRAFT_ID ? null : version,
      outcome,
      rule_id: ruleId,
      rules: rules.map((rule) => toWire(RuleResult, rule)),
    })),
  });
}

/** The evidence that gives each level, as in `missing` of a decision. */
const EVIDENCE = {
  none: [],
  basic: ["public_key"],
  verified: ["developer_kyb"],
  attested: ["external_token"],
} as const satisfies Record<KyaLevel, readonly string[]>;

/**
 * Returns the `decision` of a problem: the level or the limit that refused, or the rule. Null unless the outcome is
 * `deny`. `resetsAt` is when the used amount of the exceeded limit decreases next.
 */
export function presentRefusal(
  { outcome, policyId, policyVersion, ruleId, exceeded, kya }: PolicyDecision,
  resetsAt: Date | null,
): Decision | null {
  if (outcome !== "deny" || ruleId === null) return null;
  if (kya !== undefined) {
    return {
      gate: "kya",
      required_level: kya.requiredLevel,
      actual_level: kya.actualLevel,
      missing: [...EVIDENCE[kya.requiredLevel]],
    };
  }
  return {
    rule_id: ruleId,
    ...(policyId !== null && { policy_id: policyId }),
    ...(policyVersion !== null && { policy_version: policyVersion }),
    ...(exceeded !== undefined && {
      ...numbersOf(exceeded),
      resets_at: resetsAt?.toISOString() ?? null,
    }),
  };
}

/** Returns which rule refused, and the numbers of its limit, for the error's `detail`. */
export function refusalDetail({
  policyId,
  ruleId,
  exceeded,
}: Pick<PolicyDecision, "policyId" | "ruleId" | "exceeded">): string {
  const rule = `The rule ${ruleId} of the policy ${policyId}`;
  if (exceeded === undefined) return `${rule} does not allow this operation.`;
  const { limit, used, remaining } = numbersOf(exceeded);
  return `${rule} would be exceeded: its limit is ${limit}, ${used} are used, and ${remaining} remain.`;
}

function numbersOf({ kind, limit, used, remaining }: ExceededLimit) {
  const format = (value: bigint) => (kind === "count" ? `${value}` : formatUsdMicros(usdMicros(value)));
  return { limit: format(limit), used: format(used), remaining: format(remaining) };
}
