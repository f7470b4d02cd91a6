import { parseUsdMicros, type UsdMicros } from "../../../foundation/money.ts";
import type { BudgetPeriod, PolicyOperation } from "../../../foundation/vocabulary.ts";
import { AMOUNT_FACTS, type PolicyApprovals, type PolicyRule, type RULE_EFFECTS, TEXT_FACTS } from "./rule-schema.ts";

type RuleEffect = (typeof RULE_EFFECTS)[number];
type AmountOperator = "gt" | "gte" | "lt" | "lte" | "eq";
type ListOperator = "eq" | "in" | "not_in";

/** One operator of one fact in a rule's `when`. */
export type Condition =
  | {
      readonly fact: (typeof AMOUNT_FACTS)[number];
      readonly operator: AmountOperator;
      readonly value: UsdMicros;
    }
  | {
      readonly fact: (typeof TEXT_FACTS)[number] | "kya_level";
      readonly operator: ListOperator;
      /** Payees in lowercase. One value for `eq`. */
      readonly values: ReadonlySet<string>;
    }
  | { readonly fact: "payee_first_seen"; readonly value: boolean }
  | {
      readonly fact: "time_utc";
      readonly operator: "inside" | "outside";
      /** Minutes of the day. */
      readonly start: number;
      readonly end: number;
      readonly text: string;
    };

interface Limit {
  readonly ruleId: string;
  /** Whether the limit counts US dollars or operations. */
  readonly kind: "budget" | "count";
  /** In millionths of a US dollar, or a number of operations. */
  readonly max: bigint;
  readonly isShared: boolean;
}

/** A limit for each calendar period, or for a rolling window. */
export interface WindowLimit extends Limit {
  readonly period: BudgetPeriod;
}

/** A limit for each single operation. */
interface SingleLimit extends Limit {
  readonly period: "per_tx";
}

export interface CompiledRule {
  readonly id: string;
  readonly effect: RuleEffect;
  /** Undefined: every operation. */
  readonly operation: PolicyOperation | undefined;
  readonly conditions: readonly Condition[];
  /** Only limits have one. */
  readonly limit: WindowLimit | SingleLimit | undefined;
}

/** A policy's rules as they are stored: as in the API, with amounts in one form. */
export interface StoredPolicyRules {
  readonly rules: readonly PolicyRule[];
  readonly approvals: PolicyApprovals;
}

/** A policy's rules in the form that `evaluate` needs. */
export interface CompiledPolicyRules {
  readonly rules: readonly CompiledRule[];
  readonly thresholdUsd: UsdMicros | undefined;
  /** How long an approval can be decided. */
  readonly expiresInSeconds: number;
  readonly stored: StoredPolicyRules;
}

export const DEFAULT_EXPIRES_IN_SECONDS = 600;

/** Compiles rules that `parsePolicy` has checked. */
export function compilePolicy(stored: StoredPolicyRules): CompiledPolicyRules {
  const { threshold_usd, expires_in_seconds = DEFAULT_EXPIRES_IN_SECONDS } = stored.approvals;
  return {
    rules: stored.rules.map(compileRule),
    thresholdUsd: threshold_usd === undefined ? undefined : microsOf(threshold_usd),
    expiresInSeconds: expires_in_seconds,
    stored,
  };
}

function compileRule({ id, effect, operation, when = {}, ...rule }: PolicyRule): CompiledRule {
  return {
    id,
    effect,
    operation: operation === "*" ? undefined : operation,
    conditions: conditionsOf(when),
    limit: limitOf(id, rule),
  };
}

function limitOf(
  ruleId: string,
  { budget, count, shared: isShared = false }: Pick<PolicyRule, "budget" | "count" | "shared">,
): CompiledRule["limit"] {
  if (count !== undefined) {
    return { ruleId, kind: "count", max: BigInt(count.max), isShared, period: count.period };
  }
  if (budget === undefined) return undefined;
  // Both branches build the same object. The compiler needs them, because `period` selects the type.
  const limit = { ruleId, kind: "budget", max: microsOf(budget.max), isShared } as const;
  return budget.period === "per_tx" ? { ...limit, period: budget.period } : { ...limit, period: budget.period };
}

type Conditions = NonNullable<PolicyRule["when"]>;

function conditionsOf(when: Conditions): Condition[] {
  const { payee_first_seen, time_utc = {} } = when;
  return [
    ...AMOUNT_FACTS.flatMap((fact) =>
      entriesOf(when[fact] ?? {}).map(([operator, text]) => ({
        fact,
        operator,
        value: microsOf(text),
      })),
    ),
    ...([...TEXT_FACTS, "kya_level"] as const).flatMap((fact) =>
      entriesOf(when[fact] ?? {}).map(([operator, value]) => ({
        fact,
        operator,
        values: new Set([value].flat().map((text) => (fact === "payee" ? text.toLowerCase() : text))),
      })),
    ),
    ...(payee_first_seen === undefined ? [] : [{ fact: "payee_first_seen", value: payee_first_seen } as const]),
    ...entriesOf(time_utc).map(
      ([operator, text]) => ({ fact: "time_utc", operator, text, ...minutesOf(text) }) as const,
    ),
  ];
}

/** Like `Object.entries`, whose return type does not preserve the names. */
function entriesOf<Operators extends object>(operators: Operators) {
  type Operator = keyof Operators & string;
  return Object.entries(operators) as [Operator, NonNullable<Operators[Operator]>][];
}

/** Converts `HH:MM-HH:MM` to minutes of the day. */
export function minutesOf(range: string): { readonly start: number; readonly end: number } {
  const [start = 0, end = 0] = range.split("-").map((time) => {
    const [hours, minutes] = time.split(":").map(Number);
    return (hours ?? 0) * 60 + (minutes ?? 0);
  });
  return { start, end };
}

/** Converts an amount that matches the schema. */
export function microsOf(text: string): UsdMicros {
  const micros = parseUsdMicros(text);
  if (micros === undefined) throw new Error("a rule's amount is not a decimal");
  return micros;
}
