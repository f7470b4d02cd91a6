import { BLOCKCHAIN_NETWORKS } from "../../../foundation/blockchain-networks.ts";
import type { InvalidField } from "../../../foundation/errors.ts";
import { ASSETS, type UsdMicros, usdMicros } from "../../../foundation/money.ts";
import { KYA_LEVELS, type PolicyOperation } from "../../../foundation/vocabulary.ts";
import type { CompiledPolicyRules, CompiledRule, Condition } from "./compiled-policy.ts";
import type { PolicyFacts } from "./facts.ts";
import { comparableFactsOf, holds } from "./match-rule.ts";

const SERVICE_FACTS = ["monthly_cost_usd", "provider", "service", "category", "plan"];
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
/** The forms of other facts. */
const CATALOG_ID = { pattern: /^[a-z][a-z0-9_-]*$/, detail: "must be an id of the catalog" };
const FORMS: Readonly<Record<string, { readonly pattern: RegExp; readonly detail: string }>> = {
  provider: CATALOG_ID,
  category: CATALOG_ID,
  plan: CATALOG_ID,
  service: { pattern: /^[a-z][a-z0-9_-]*\/./, detail: "must have the form provider/service" },
  payee: {
    pattern: /^(0x[0-9a-f]{40}$|(?!0x|wal_|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$))/i,
    detail: "must be an address. Ids are never matched; use the wallet's address",
  },
};
/** A text that no condition can contain. */
const OTHER_TEXT = "\n";

const NEVER = "never_matches";

/** A condition that no operation of this version matches. */
interface Unmatchable extends InvalidField {
  /** Whether the rule is refused. Otherwise it is kept with a warning. */
  readonly isError: boolean;
}

/**
 * Finds rules that can match nothing, and values that no operation has. Such a value is an error where the rule would
 * restrict less than it says: in a list of a rule that refuses, asks or limits, and in an exception of a rule that allows.
 */
export function findUnmatchable({ rules, stored }: CompiledPolicyRules, pointer: string): Unmatchable[] {
  return rules.flatMap((rule, index) => {
    const { when = {} } = stored.rules[index] ?? {};
    return Object.entries(when).flatMap(([fact, condition]) => {
      const at = `${pointer}/rules/${index}/when/${fact}`;
      return [...impossibleValues(rule, fact, condition, at), ...factErrors(rule, fact, at)];
    });
  });
}

function impossibleValues(
  { effect }: CompiledRule,
  fact: string,
  condition: object | boolean,
  at: string,
): Unmatchable[] {
  const lists: [string, string | readonly string[]][] = Object.entries(condition);
  return lists.flatMap(([operator, values]) =>
    [values].flat().flatMap((text, index) => {
      const detail = impossibleBecause(fact, text);
      const isLater = detail === undefined && fact === "payee" && !text.startsWith("0x");
      if (detail === undefined && !isLater) return [];
      return {
        pointer: `${at}/${operator}${typeof values === "string" ? "" : `/${index}`}`,
        code: NEVER,
        detail: detail ?? "is not an address. Payments of this version never match it.",
        isError: !isLater && (effect === "allow") === (operator === "not_in"),
      };
    }),
  );
}

/** Returns why no operation has this value. Undefined if one has it, or may have it in a later version. */
function impossibleBecause(fact: string, text: string): string | undefined {
  if (text === "") return "must not be blank";
  const known = VALUES[fact];
  if (known !== undefined && !known.includes(text)) return `must be one of ${known.join(", ")}`;
  const form = FORMS[fact];
  return form === undefined || form.pattern.test(text) ? undefined : form.detail;
}

function factErrors({ operation, conditions }: CompiledRule, fact: string, pointer: string): Unmatchable[] {
  const error = (detail: string) => [{ pointer, code: NEVER, detail, isError: true }];
  const known = operation && FACTS_OF[operation];
  if (known !== undefined && ![...known, ...FACTS_OF_ALL].includes(fact)) {
    return error(`is never known of ${operation}, so the rule would match nothing`);
  }
  const own = conditions.filter((condition) => condition.fact === fact);
  const canHold = candidatesOf(fact, own).some((candidate) => {
    const facts = comparableFactsOf({ operation: "payment", at: new Date(0), ...candidate });
    return own.every((condition) => holds(condition, facts));
  });
  return canHold ? [] : error("no value satisfies this, so the rule would match nothing");
}

/** Returns facts of which at least one satisfies the conditions about a fact, if any can. */
function candidatesOf(fact: string, conditions: readonly Condition[]): Partial<PolicyFacts>[] {
  return conditions.flatMap((condition): Partial<PolicyFacts>[] => {
    switch (condition.fact) {
      case "payee_first_seen":
        return [{ payee_first_seen: condition.value }];
      case "time_utc":
        // Where a range starts or ends is the only place where the answer changes.
        return [condition.start, condition.end].map((minute) => ({
          at: new Date(minute * 60_000),
        }));
      case "amount_usd":
        return neighborsOf(condition.value, 1n).map((amount_usd) => ({ amount_usd }));
      case "monthly_cost_usd":
        return neighborsOf(condition.value, 0n).map((monthly_cost_usd) => ({ monthly_cost_usd }));
      default: {
        const possible = [...condition.values].filter((text) => !impossibleBecause(fact, text));
        const texts = VALUES[fact] ?? [...possible, OTHER_TEXT];
        return [...texts, ...categoriesOf(conditions)].map((text) => ({ [fact]: text }));
      }
    }
  });
}

/** A service can be in all categories that conditions name. */
function categoriesOf(conditions: readonly Condition[]): string[][] {
  const named = conditions.flatMap((each) =>
    each.fact === "category" && each.operator !== "not_in" ? [...each.values] : [],
  );
  return named.length === 0 ? [] : [named];
}

function neighborsOf(value: UsdMicros, least: bigint): UsdMicros[] {
  return [value - 1n, value, value + 1n, least].filter((near) => near >= least).map(usdMicros);
}
