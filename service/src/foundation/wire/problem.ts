import { type Static, Type } from "typebox";
import { KYA_LEVELS } from "../vocabulary.ts";
import { catalog } from "./error-catalog.ts";
import { Count, DecimalOut, Flag, ListOf, NamedObject, Nullable, OneOf, Text, Timestamp } from "./fields.ts";

const DecidingRule = {
  rule_id: Text("The rule that refused the request."),
  policy_id: Type.Optional(Text("The policy of the rule.")),
  policy_version: Type.Optional(Count("The version of the policy.")),
};

/** Why a request was refused: a limit that would be exceeded, a rule, or a balance that is too small. */
export const Decision = Type.Union(
  [
    NamedObject("LimitDecision", {
      ...DecidingRule,
      limit: DecimalOut,
      used: DecimalOut,
      remaining: DecimalOut,
      resets_at: Nullable(Text("When the used amount decreases next. Null if it never does.", Timestamp)),
    }),
    Type.Object(DecidingRule, { $id: "RuleDecision" }),
    NamedObject("KyaDecision", {
      gate: Type.Enum(["kya"]),
      required_level: Type.Enum([...KYA_LEVELS]),
      actual_level: Type.Enum([...KYA_LEVELS]),
      missing: ListOf(Type.String(), "The evidence that would raise the level."),
    }),
    NamedObject("BalanceDecision", { available: DecimalOut, required: DecimalOut }),
  ],
  {
    $id: "Decision",
    description:
      "Why the request was refused: the limit that would be exceeded, the rule of a policy, the know-your-agent level, or the available and the required balance. Only some errors have it.",
  },
);
export type Decision = Static<typeof Decision>;

const NextAction = Type.Object(
  {
    type: Type.String(),
    actor: OneOf(["human", "agent"], "Who has to act."),
    url: Type.Optional(Text("Where to act.")),
    expires_at: Type.Optional(Timestamp),
  },
  {
    $id: "NextAction",
    description: "What has to be done before the request can succeed. Only some errors have it.",
  },
);
export type NextAction = Static<typeof NextAction>;

/** An RFC 9457 problem (`application/problem+json`) with the members in docs/rules/errors.md. */
export const Problem = Type.Object(
  {
    type: Text("URI reference of the problem type: `/errors/` followed by the `code`."),
    title: Text("Short human-readable summary. It is the same for all problems with the same code."),
    status: Count("HTTP status code."),
    detail: Text("Human-readable explanation. The text can change; do not parse it."),
    code: OneOf(
      Object.keys(catalog),
      "Stable error code. Use it, not the texts, to decide how to handle the error. More codes can be added, so handle unknown ones too.",
    ),
    request_id: Text("The request id, also sent in the `X-Request-Id` header. Include it when you contact support."),
    retryable: Flag(
      "Whether the same request can succeed later. If true, the response includes the `Retry-After` header.",
    ),
    errors: ListOf(
      Type.Object(
        {
          pointer: Text(
            "JSON pointer to the value. The first part is the location in the request, for example `/body/name`.",
          ),
          code: Text("The rule that the value violates, such as `format`."),
          detail: Text("Human-readable explanation of what is wrong with the field."),
        },
        { $id: "InvalidField" },
      ),
      "The invalid values, at most 50. Empty if the problem is not caused by invalid values.",
    ),
    decision: Type.Optional(Decision),
    next_action: Type.Optional(NextAction),
    wallet_id: Type.Optional(Text("The existing wallet. Only `wallet_already_exists` has it.")),
  },
  { $id: "Problem", description: "An error in the Problem Details format (RFC 9457)." },
);

/** A problem that also has the OAuth member `error`. */
export const oauthProblem = (errors: readonly string[]) =>
  NamedObject("OAuthProblem", { ...Problem.properties, error: Type.Enum([...errors]) });
