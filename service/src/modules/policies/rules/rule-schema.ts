import { type Static, type TSchema, Type } from "typebox";
import { BUDGET_PERIODS, KYA_LEVELS, POLICY_OPERATIONS } from "../../../foundation/vocabulary.ts";
import { Count, DecimalIn, DecimalOut, Flag, OneOf, PRINTABLE_TEXT, Text } from "../../../foundation/wire/fields.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";

const RULES_MAX = QUOTAS.policyRules.max;
/** The largest number of list elements in all conditions of a policy. */
export const VALUES_MAX = QUOTAS.policyValues.max;

export const RULE_EFFECTS = ["allow", "deny", "limit", "require_approval"] as const;
/** Facts that are compared as amounts. */
export const AMOUNT_FACTS = ["amount_usd", "monthly_cost_usd"] as const;
/** Facts that are compared as texts. */
export const TEXT_FACTS = ["payee", "network", "token", "provider", "service", "category", "plan"] as const;

const strict = { additionalProperties: false };

const Payee = Type.String({ minLength: 1, maxLength: 500, ...PRINTABLE_TEXT });
const FactText = Type.String({ minLength: 1, maxLength: 100, ...PRINTABLE_TEXT });
const KyaLevelName = Type.Enum([...KYA_LEVELS]);

const TimeRange = Type.String({
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$",
  maxLength: 11,
  description:
    "`HH:MM-HH:MM`, two times of the day in UTC. The first minute is inside, the last is not. If the first time is later than the second, the range contains midnight.",
  examples: ["06:00-22:00"],
});

const conditionOf = <Value extends TSchema>($id: string, value: Value, description: string) => {
  const list = Type.Array(value, { minItems: 1, maxItems: VALUES_MAX });
  return Type.Optional(
    Type.Object(
      {
        eq: Type.Optional(value),
        in: Type.Optional(list),
        not_in: Type.Optional(list),
      },
      { ...strict, $id, minProperties: 1, description },
    ),
  );
};

/** `suffix`: what the names of the schemas end with that differ between requests and responses. */
const amountConditionOf = <Amount extends TSchema>(amount: Amount, suffix: string, description: string) =>
  Type.Optional(
    Type.Object(
      {
        gt: Type.Optional(amount),
        gte: Type.Optional(amount),
        lt: Type.Optional(amount),
        lte: Type.Optional(amount),
        eq: Type.Optional(amount),
      },
      { ...strict, $id: `AmountCondition${suffix}`, minProperties: 1, description },
    ),
  );

const conditionsOf = <Amount extends TSchema>(amount: Amount, suffix: string) =>
  Type.Object(
    {
      amount_usd: amountConditionOf(amount, suffix, "The amount in US dollars."),
      monthly_cost_usd: amountConditionOf(amount, suffix, "The monthly price of a service in US dollars."),
      payee: conditionOf("PayeeCondition", Payee, "Who is paid, ignoring case."),
      network: conditionOf("TextCondition", FactText, "The network of a payment."),
      token: conditionOf("TextCondition", FactText, "The token of a payment."),
      provider: conditionOf("TextCondition", FactText, "The provider of a service."),
      service: conditionOf("TextCondition", FactText, "The service's id in the catalog."),
      category: conditionOf("TextCondition", FactText, "The service's category in the catalog."),
      plan: conditionOf("TextCondition", FactText, "The plan of a service."),
      kya_level: conditionOf("KyaLevelCondition", KyaLevelName, "The agent's know-your-agent level."),
      payee_first_seen: Type.Optional(Flag("`true` if the payee has never been paid before.")),
      time_utc: Type.Optional(
        Type.Object(
          { inside: Type.Optional(TimeRange), outside: Type.Optional(TimeRange) },
          { ...strict, $id: "TimeCondition", minProperties: 1, description: "The time of the day in UTC." },
        ),
      ),
    },
    {
      ...strict,
      $id: `PolicyConditions${suffix}`,
      description:
        "The rule matches if all conditions hold. A condition does not hold if its fact is unknown. Default: `{}`, which always holds.",
    },
  );

const ruleOf = <Amount extends TSchema>(amount: Amount, suffix: string) =>
  Type.Object(
    {
      id: Text(
        "1 to 64 letters, digits, underscores and hyphens, unique in the policy. `default`, `threshold`, `project_cap`, `provider_cap` and `max_fee` are reserved.",
        { pattern: "^[A-Za-z0-9_-]{1,64}$" },
      ),
      effect: OneOf(
        RULE_EFFECTS,
        "`deny` refuses. `limit` refuses what exceeds its `budget` or `count`, and permits nothing. `require_approval` permits what a person approves. `allow` permits.",
      ),
      operation: Type.Optional(
        OneOf([...POLICY_OPERATIONS, "*"], "The operation that the rule is about. Default: `*`, every operation."),
      ),
      when: Type.Optional(conditionsOf(amount, suffix)),
      budget: Type.Optional(
        Type.Object(
          {
            max: amount,
            currency: Type.Optional(Type.Enum(["usd"])),
            period: Type.Enum(["per_tx", ...BUDGET_PERIODS]),
          },
          {
            ...strict,
            $id: `PolicyBudget${suffix}`,
            description:
              "The largest total of the period. With `per_tx`, the largest amount of one operation. Only for limits.",
          },
        ),
      ),
      count: Type.Optional(
        Type.Object(
          {
            max: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
            period: Type.Enum([...BUDGET_PERIODS]),
          },
          {
            ...strict,
            $id: "PolicyCount",
            description: "The largest number of operations in the period. Only for limits.",
          },
        ),
      ),
      shared: Type.Optional(
        Flag(
          "If `true`, the limit counts all agents of the policy together. Default: `false`, each agent for itself. Only for limits.",
        ),
      ),
    },
    { ...strict, $id: `PolicyRule${suffix}` },
  );

const approvalsOf = <Amount extends TSchema>(amount: Amount, suffix: string) =>
  Type.Object(
    {
      threshold_usd: Type.Optional(amount),
      approvers: Type.Optional(
        Type.Array(Type.Enum(["role:owner"]), {
          minItems: 1,
          maxItems: 1,
          description: 'Who can approve. Default: `["role:owner"]`, the account\'s owner.',
        }),
      ),
      required: Type.Optional(Count("How many people have to approve. Default: 1.", { minimum: 1, maximum: 1 })),
      expires_in_seconds: Type.Optional(
        Count("After this time an approval expires. Default: 600.", { minimum: 60, maximum: 604_800 }),
      ),
    },
    {
      ...strict,
      $id: `PolicyApprovals${suffix}`,
      description: "How people approve. An operation whose amount is more than `threshold_usd` needs an approval.",
    },
  );

/** A rule in a request. `parsePolicy` checks what a schema cannot say. */
export const PolicyRule = ruleOf(DecimalIn, "Input");
export type PolicyRule = Static<typeof PolicyRule>;

export const PolicyRules = Type.Array(PolicyRule, {
  maxItems: RULES_MAX,
  description: `Up to ${RULES_MAX} rules with up to ${VALUES_MAX.toLocaleString("en-US")} list elements in total.`,
});

export const PolicyApprovals = approvalsOf(DecimalIn, "Input");
export type PolicyApprovals = Static<typeof PolicyApprovals>;

/** A rule in a response. */
export const PolicyRuleResource = ruleOf(DecimalOut, "");

export const PolicyApprovalsResource = approvalsOf(DecimalOut, "");
