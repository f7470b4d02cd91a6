import * as Address from "ox/Address";
import { blockchainNetworkOf } from "../../../foundation/blockchain-networks.ts";
import { AppError, type InvalidField } from "../../../foundation/errors.ts";
import { ASSETS, formatUsdMicros } from "../../../foundation/money.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";
import {
  type CompiledPolicyRules,
  compilePolicy,
  DEFAULT_EXPIRES_IN_SECONDS,
  microsOf,
  minutesOf,
} from "./compiled-policy.ts";
import { findUnmatchable } from "./find-unmatchable.ts";
import { AMOUNT_FACTS, type PolicyApprovals, type PolicyRule, TEXT_FACTS, VALUES_MAX } from "./rule-schema.ts";

/** Limits the response size, as for violations of a schema. */
const ERRORS_MAX = 50;
const BYTES_MAX = QUOTAS.policyBytes.max;
/** Ids that decisions use for refusals without a rule. */
const RESERVED_IDS: ReadonlySet<string> = new Set(["default", "threshold", "project_cap", "provider_cap", "max_fee"]);

interface PolicyInput {
  readonly rules: readonly PolicyRule[];
  readonly approvals?: PolicyApprovals | undefined;
}

/**
 * Compiles rules of a request that match the schemas `PolicyRules` and `PolicyApprovals`. Throws `validation_error` with
 * all violations of what the schemas cannot say, up to 50. `pointer` is the JSON pointer of the object that has the
 * fields `rules` and `approvals`.
 */
export function parsePolicy(input: PolicyInput, pointer = "/body"): CompiledPolicyRules {
  const stored = {
    rules: input.rules.map(storedRuleOf),
    approvals: storedApprovalsOf(input.approvals ?? {}),
  };
  const errors = [
    ...sizeErrors(stored, `${pointer}/rules`),
    ...idErrors(input.rules, `${pointer}/rules`),
    ...input.rules.flatMap((rule, index) => ruleErrors(rule, `${pointer}/rules/${index}`)),
  ];
  if (errors.length > 0) {
    throw new AppError("validation_error", { errors: errors.slice(0, ERRORS_MAX) });
  }
  return compilePolicy(stored);
}

/** Like `parsePolicy`, for rules that will be stored. Throws `validation_error` too for rules that can match nothing. */
export function parseNewPolicy(input: PolicyInput, pointer = "/body"): CompiledPolicyRules {
  const compiled = parsePolicy(input, pointer);
  const errors = findUnmatchable(compiled, pointer).flatMap(({ isError, ...field }) => (isError ? [field] : []));
  if (errors.length === 0) return compiled;
  throw new AppError("validation_error", { errors: errors.slice(0, ERRORS_MAX) });
}

function sizeErrors(stored: { readonly rules: readonly PolicyRule[] }, pointer: string) {
  const errors: InvalidField[] = [];
  if (countValues(stored.rules) > VALUES_MAX) {
    const detail = `must not have more than ${VALUES_MAX.toLocaleString("en-US")} list elements in total`;
    errors.push({ pointer, code: "too_many_values", detail });
  }
  if (Buffer.byteLength(JSON.stringify(stored)) > BYTES_MAX) {
    const detail = "the policy must not be larger than 64 KiB";
    errors.push({ pointer, code: "too_large", detail });
  }
  return errors;
}

function countValues(rules: readonly PolicyRule[]): number {
  return rules
    .flatMap(({ when = {} }) => Object.values(when))
    .flatMap((condition) => Object.values(condition))
    .reduce((count, value) => count + (Array.isArray(value) ? value.length : 0), 0);
}

function idErrors(rules: readonly PolicyRule[], pointer: string): InvalidField[] {
  const seen = new Set<string>();
  return rules.flatMap(({ id }, index) => {
    const isTaken = seen.has(id);
    seen.add(id);
    const at = `${pointer}/${index}/id`;
    if (RESERVED_IDS.has(id)) return [{ pointer: at, code: "reserved", detail: "is reserved" }];
    if (!isTaken) return [];
    return [{ pointer: at, code: "taken", detail: "is already the id of another rule" }];
  });
}

function ruleErrors(rule: PolicyRule, pointer: string): InvalidField[] {
  return [
    ...(rule.effect === "limit" ? limitErrors(rule, pointer) : strayFieldErrors(rule, pointer)),
    ...Object.entries(rule.when?.time_utc ?? {})
      .filter(([, range]) => isEmptyRange(range))
      .map(([operator]) => ({
        pointer: `${pointer}/when/time_utc/${operator}`,
        code: "empty_range",
        detail: "must not start and end at the same time",
      })),
  ];
}

function limitErrors({ budget, count }: PolicyRule, pointer: string): InvalidField[] {
  if (budget === undefined && count === undefined) {
    return [{ pointer, code: "required", detail: "a limit needs either budget or count" }];
  }
  if (budget === undefined || count === undefined) return [];
  const detail = "cannot be combined with budget";
  return [{ pointer: `${pointer}/count`, code: "not_allowed", detail }];
}

function strayFieldErrors(rule: PolicyRule, pointer: string): InvalidField[] {
  return (["budget", "count", "shared"] as const)
    .filter((field) => rule[field] !== undefined)
    .map((field) => ({
      pointer: `${pointer}/${field}`,
      code: "not_allowed",
      detail: "is only for rules with the effect limit",
    }));
}

function isEmptyRange(range: string): boolean {
  const { start, end } = minutesOf(range);
  return start === end;
}

type Conditions = NonNullable<PolicyRule["when"]>;
type TextFact = (typeof TEXT_FACTS)[number];

/** Returns the rule with amounts in one form, and with each text in the form in which operations have it. */
function storedRuleOf({ when, budget, ...rule }: PolicyRule): PolicyRule {
  return {
    ...rule,
    ...(when !== undefined && { when: storedConditionsOf(when) }),
    ...(budget !== undefined && {
      budget: { ...budget, max: storedAmountOf(budget.max), currency: "usd" },
    }),
  };
}

function storedConditionsOf(when: Conditions): Conditions {
  const stored: [string, unknown][] = [
    ...AMOUNT_FACTS.map((fact): [string, unknown] => [fact, mapTexts(when[fact], storedAmountOf)]),
    ...TEXT_FACTS.map((fact): [string, unknown] => [fact, mapTexts(when[fact], (text) => canonicalText(fact, text))]),
  ];
  return { ...when, ...Object.fromEntries(stored.filter(([, condition]) => condition !== undefined)) };
}

/** Changes the texts of a condition. A list keeps each text once. */
function mapTexts(condition: object | undefined, change: (text: string) => string) {
  if (condition === undefined) return undefined;
  const operators = Object.entries(condition).map(([operator, value]: [string, string | readonly string[]]) => [
    operator,
    typeof value === "string" ? change(value) : [...new Set(value.map(change))],
  ]);
  return Object.fromEntries(operators);
}

function storedAmountOf(text: string): string {
  return formatUsdMicros(microsOf(text));
}

function storedApprovalsOf({ threshold_usd, ...approvals }: PolicyApprovals) {
  return {
    ...(threshold_usd !== undefined && { threshold_usd: storedAmountOf(threshold_usd) }),
    approvers: approvals.approvers ?? ["role:owner" as const],
    required: approvals.required ?? 1,
    expires_in_seconds: approvals.expires_in_seconds ?? DEFAULT_EXPIRES_IN_SECONDS,
  };
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/;

/** Returns a token in uppercase, a network's name, an address with its checksum, or the id of a catalog in lowercase. */
export function canonicalText(fact: TextFact, text: string): string {
  const trimmed = text.trim();
  const lowerCase = trimmed.toLowerCase();
  switch (fact) {
    case "token":
      return Object.hasOwn(ASSETS, lowerCase) ? lowerCase.toUpperCase() : trimmed;
    case "network":
      return blockchainNetworkOf(lowerCase) ?? blockchainNetworkOf(trimmed) ?? trimmed;
    case "payee":
      return EVM_ADDRESS.test(lowerCase) ? Address.checksum(lowerCase as Address.Address) : trimmed;
    default:
      return lowerCase;
  }
}
