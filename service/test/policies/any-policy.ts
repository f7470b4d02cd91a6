import fc from "fast-check";
import { usdMicros } from "../../src/foundation/money.ts";
import { BUDGET_PERIODS, KYA_LEVELS, type PolicyOperation } from "../../src/foundation/vocabulary.ts";
import type { PolicyFacts } from "../../src/modules/policies/rules/facts.ts";
import { parsePolicy } from "../../src/modules/policies/rules/parse-rules.ts";
import type { PolicyApprovals, PolicyRule } from "../../src/modules/policies/rules/rule-schema.ts";

/** Small value sets make it likely that random rules match random facts. */
const OPERATIONS: readonly PolicyOperation[] = ["payment", "service.add", "x402"];
const TEXTS = ["one", "two", "three"];
const TIMES = ["00:00", "06:00", "12:30", "22:00"];

const anyAmount = fc.constantFrom("0", "5", "5.000001", "20.00", "1000");
const anyText = fc.constantFrom(...TEXTS);
const optional = <Value>(arbitrary: fc.Arbitrary<Value>, freq = 4) => fc.option(arbitrary, { nil: undefined, freq });

/** Removes fields without a value, because an optional field of a request is never undefined. */
function defined<Value extends object>(value: Value) {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Value]: Exclude<Value[Name], undefined> };
}

/** A condition with exactly one of these operators. */
function anyOperator<Operators extends Record<string, fc.Arbitrary<unknown>>>(operators: Operators) {
  return fc.oneof(...Object.entries(operators).map(([name, value]) => value.map((inner) => ({ [name]: inner }))));
}

const amountCondition = anyOperator({
  gt: anyAmount,
  gte: anyAmount,
  lt: anyAmount,
  lte: anyAmount,
  eq: anyAmount,
});
const listOf = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 3 });
const textCondition = anyOperator({ eq: anyText, in: listOf(anyText), not_in: listOf(anyText) });
const anyLevel = fc.constantFrom(...KYA_LEVELS);
const anyRange = fc
  .tuple(fc.constantFrom(...TIMES), fc.constantFrom(...TIMES))
  .filter(([start, end]) => start !== end)
  .map((times) => times.join("-"));

const anyCondition = fc.oneof(
  fc.record({ amount_usd: amountCondition }),
  fc.record({ monthly_cost_usd: amountCondition }),
  ...["payee", "network", "token", "provider", "service", "category", "plan"].map((fact) =>
    fc.record({ [fact]: textCondition }),
  ),
  fc.record({
    kya_level: anyOperator({ eq: anyLevel, in: listOf(anyLevel), not_in: listOf(anyLevel) }),
  }),
  fc.record({ payee_first_seen: fc.boolean() }),
  fc.record({ time_utc: anyOperator({ inside: anyRange, outside: anyRange }) }),
);

const anyLimit = fc.oneof(
  fc.record({
    budget: fc.record({ max: anyAmount, period: fc.constantFrom("per_tx", ...BUDGET_PERIODS) }),
  }),
  fc.record({
    count: fc.record({ max: fc.nat({ max: 3 }), period: fc.constantFrom(...BUDGET_PERIODS) }),
  }),
);

/** A random rule with a random id. */
export const anyRule: fc.Arbitrary<PolicyRule> = fc
  .tuple(
    fc.stringMatching(/^r[a-z0-9]{6}$/),
    fc.constantFrom("allow", "deny", "limit", "require_approval"),
    optional(fc.constantFrom(...OPERATIONS, "*")),
    fc.array(anyCondition, { maxLength: 2 }),
    anyLimit,
  )
  .map(
    ([id, effect, operation, conditions, limit]) =>
      defined({
        id,
        effect,
        operation,
        when: Object.assign({}, ...conditions),
        ...(effect === "limit" && limit),
      }) as PolicyRule,
  );

const anyRules = fc.uniqueArray(anyRule, { maxLength: 8, selector: ({ id }) => id });

const anyApprovals: fc.Arbitrary<PolicyApprovals> = optional(anyAmount, 1).map(
  (threshold_usd) => defined({ threshold_usd }) as PolicyApprovals,
);

/** A random compiled policy. */
export const anyPolicy = fc
  .tuple(anyRules, anyApprovals)
  .map(([rules, approvals]) => parsePolicy({ rules, approvals }));

const anyMicros = fc
  .oneof(fc.constantFrom(0n, 5_000_000n, 5_000_001n, 20_000_000n), fc.bigInt({ min: 0n, max: 10n ** 10n }))
  .map(usdMicros);

export const anyFacts: fc.Arbitrary<PolicyFacts> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  at: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
  amount_usd: optional(anyMicros),
  monthly_cost_usd: optional(anyMicros, 1),
  payee: optional(fc.constantFrom("ONE", "one", "two", "four")),
  network: optional(anyText),
  token: optional(anyText),
  provider: optional(anyText),
  service: optional(anyText),
  category: optional(anyText),
  plan: optional(anyText),
  kya_level: optional(anyLevel),
  payee_first_seen: optional(fc.boolean()),
});
