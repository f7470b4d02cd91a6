import type { InvalidField } from "../../../foundation/errors.ts";
import { ASSETS } from "../../../foundation/money/assets.ts";
import { BLOCKCHAIN_NETWORKS } from "../../../foundation/money/blockchain-networks.ts";
import { formatUsdMicros, usdMicros } from "../../../foundation/money/usd-micros.ts";
import { KYA_LEVELS, type PolicyOperation } from "../../../foundation/vocabulary.ts";
import type { CompiledPolicyRules, CompiledRule, Condition } from "./compiled-policy.ts";
import { factsOf, type StoredFacts } from "./facts.ts";
import { comparableFactsOf, holds } from "./match-rule.ts";

const CATALOG_FACTS = ["provider", "service", "category", "plan"];
const CATALOG_ID = /^[a-z][a-z0-9_/-]*$/;
const SERVICE_FACTS = ["monthly_cost_usd", ...CATALOG_FACTS];
/** The facts of the operations that this version decides, apart from those that every operation has. */
const FACTS_OF: Partial<Record<PolicyOperation, readonly string[]>> = {
  payment: ["amount_usd", "payee", "network", "token", "payee_first_seen"],
  "service.add": SERVICE_FACTS,
  "service.upgrade": SERVICE_FACTS,
  "wallet.create": ["network"],
  "env.pull": [],
};
const FACTS_OF_ALL: readonly string[] = ["kya_level", "time_utc"];

/** All values that a fact can have. Other facts can have values that are not known yet. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  token: Object.keys(ASSETS).map((asset) => asset.toUpperCase()),
  network: Object.keys(BLOCKCHAIN_NETWORKS),
  kya_level: KYA_LEVELS,
};
/** A text that no condition can contain. */
const OTHER_TEXT = "\n";

const NEVER = "never_matches";

interface Unmatchable {
  /** What refuses a rule. */
  readonly errors: readonly InvalidField[];
  /** What a rule can contain although no operation of this version has it. */
  readonly warnings: readonly InvalidField[];
}

/**
 * Finds rules that can match nothing, and values that no operation has. Such a value is an error where the rule would
 * restrict less than it says: in a list of a rule that refuses, asks or limits, and in an exception of a rule that allows.
 */
export function findUnmatchable(
  { rules, stored }: CompiledPolicyRules,
  pointer: string,
): Unmatchable {
  const found = rules.map((rule, index) => {
    const at = `${pointer}/rules/${index}`;
    const { when = {}, budget } = stored.rules[index] ?? {};
    const values = Object.entries(when).flatMap(([fact, condition]) =>
      valuesOf(condition).flatMap(({ operator, text, path }) => {
        const detail = impossibleBecause(fact, text);
        const isLater = detail === undefined && fact === "payee" && !text.startsWith("0x");
        if (detail === undefined && !isLater) return [];
        const field = {
          pointer: `${at}/when/${fact}/${path}`,
          code: NEVER,
          detail: detail ?? LATER,
        };
        const restrictsLess = (rule.effect === "allow") === (operator === "not_in");
        return [{ field, isError: !isLater && restrictsLess }];
      }),
    );
    const facts = factErrors(rule, Object.keys(when), at);
    const unspent = budget !== undefined && isWithoutAmount(rule) ? [neverSpends(at)] : [];
    return {
      errors: [
        ...values.filter(({ isError }) => isError).map(({ field }) => field),
        ...facts,
        ...unspent,
      ],
      warnings: values.filter(({ isError }) => !isError).map(({ field }) => field),
    };
  });
  return {
    errors: found.flatMap(({ errors }) => errors),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

const LATER = "is not an address. Payments of this version never match it.";

function valuesOf(condition: object | boolean) {
  return Object.entries(condition).flatMap(
    ([operator, value]: [string, string | readonly string[]]) =>
      typeof value === "string"
        ? [{ operator, text: value, path: operator }]
        : value.map((text, index) => ({ operator, text, path: `${operator}/${index}` })),
  );
}

/** Returns why no operation has this value. Undefined if one has it, or may have it in a later version. */
function impossibleBecause(fact: string, text: string): string | undefined {
  if (text === "") return "must not be blank";
  const known = VALUES[fact];
  if (known !== undefined && !known.includes(text)) return `must be one of ${known.join(", ")}`;
  if (CATALOG_FACTS.includes(fact) && !CATALOG_ID.test(text)) return "must be an id of the catalog";
  if (fact === "service" && !text.includes("/")) return "must have the form provider/service";
  return fact === "payee" ? notAnAddressBecause(text) : undefined;
}

/** Undefined for an address, and for what a later kind of payee may be. */
function notAnAddressBecause(text: string): string | undefined {
  if (/^(wal_|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$)/i.test(text)) {
    return "is an id, but payees are compared by address. Use the wallet's address";
  }
  return /^0x/i.test(text) && !/^0x[0-9a-f]{40}$/i.test(text) ? "is not an address" : undefined;
}

function factErrors(rule: CompiledRule, facts: readonly string[], at: string): InvalidField[] {
  const { operation, conditions } = rule;
  const known = operation && FACTS_OF[operation];
  return facts.flatMap((fact) => {
    const pointer = `${at}/when/${fact}`;
    if (known !== undefined && ![...known, ...FACTS_OF_ALL].includes(fact)) {
      const detail = `is never known of ${operation}, so the rule would match nothing`;
      return [{ pointer, code: NEVER, detail }];
    }
    const own = conditions.filter((condition) => condition.fact === fact);
    const canHold = candidatesOf(fact, own).some((candidate) => {
      const facts = comparableFactsOf(candidate);
      return own.every((condition) => holds(condition, facts));
    });
    if (canHold) return [];
    return [
      { pointer, code: NEVER, detail: "no value satisfies this, so the rule would match nothing" },
    ];
  });
}

/** Returns facts of which at least one satisfies the conditions about a fact, if any can. */
function candidatesOf(fact: string, conditions: readonly Condition[]) {
  const known = (stored: StoredFacts) => factsOf("payment", new Date(0), stored);
  // Where a range starts or ends is the only place where the answer changes.
  const times = conditions.flatMap((each) => ("start" in each ? [each.start, each.end] : []));
  if (fact === "time_utc") {
    return times.map((minute) => factsOf("payment", new Date(minute * 60_000), {}));
  }
  if (fact === "payee_first_seen") return [true, false].map((value) => known({ [fact]: value }));
  const lists = conditions.flatMap((condition) => ("values" in condition ? [condition] : []));
  if (lists.length > 0) {
    const texts = VALUES[fact] ?? lists.flatMap(({ values }) => [...values]);
    const possible = texts.filter((text) => impossibleBecause(fact, text) === undefined);
    const other = fact in VALUES ? [] : [OTHER_TEXT];
    const named = lists.filter(({ operator }) => operator !== "not_in");
    // A service can be in several categories.
    const together = fact === "category" ? [named.flatMap(({ values }) => [...values])] : [];
    return [...possible, ...other, ...together].map((value) => known({ [fact]: value }));
  }
  const least = fact === "amount_usd" ? 1n : 0n;
  return conditions
    .flatMap((condition) =>
      "value" in condition && typeof condition.value === "bigint" ? [condition.value] : [],
    )
    .flatMap((value) => [value - 1n, value, value + 1n, least])
    .filter((value) => value >= least)
    .map((value) => known({ [fact]: formatUsdMicros(usdMicros(value)) }));
}

function isWithoutAmount({ operation }: CompiledRule): boolean {
  const known = operation && FACTS_OF[operation];
  return known?.every((fact) => !fact.endsWith("_usd")) ?? false;
}

function neverSpends(at: string): InvalidField {
  const detail = "this operation has no amount, so the limit would match nothing. Use count";
  return { pointer: `${at}/budget`, code: NEVER, detail };
}
