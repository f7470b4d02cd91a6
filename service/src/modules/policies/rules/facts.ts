import { formatUsdMicros, parseUsdMicros, type UsdMicros } from "../../../foundation/money/usd-micros.ts";
import type { KyaLevel, PolicyOperation } from "../../../foundation/vocabulary.ts";

/** What is known about an operation when it is decided. A rule about an unknown fact does not match. */
export interface PolicyFacts {
  readonly operation: PolicyOperation;
  readonly at: Date;
  readonly amountUsd?: UsdMicros | undefined;
  readonly monthlyCostUsd?: UsdMicros | undefined;
  readonly payee?: string | undefined;
  readonly network?: string | undefined;
  readonly token?: string | undefined;
  readonly provider?: string | undefined;
  readonly service?: string | undefined;
  /** Several if the provider is in several categories. A condition then looks for any of them. */
  readonly category?: string | readonly string[] | undefined;
  readonly plan?: string | undefined;
  readonly kyaLevel?: KyaLevel | undefined;
  readonly payeeFirstSeen?: boolean | undefined;
}

/** Facts by their names in the API, without the operation and the time. Amounts are decimal texts. */
export type StoredFacts = {
  readonly amount_usd?: string;
  readonly monthly_cost_usd?: string;
  readonly payee?: string;
  readonly network?: string;
  readonly token?: string;
  readonly provider?: string;
  readonly service?: string;
  readonly category?: string | readonly string[];
  readonly plan?: string;
  readonly kya_level?: KyaLevel;
  readonly payee_first_seen?: boolean;
};

/** Returns the amount that budgets and the threshold are compared with. */
export function spendingOf({ amountUsd, monthlyCostUsd }: PolicyFacts): UsdMicros | undefined {
  return amountUsd ?? monthlyCostUsd;
}

/** The names of facts in code, by their names in the API. */
const PROPERTIES = {
  amount_usd: "amountUsd",
  monthly_cost_usd: "monthlyCostUsd",
  payee: "payee",
  network: "network",
  token: "token",
  provider: "provider",
  service: "service",
  category: "category",
  plan: "plan",
  kya_level: "kyaLevel",
  payee_first_seen: "payeeFirstSeen",
} as const;

/** Returns the value of a fact by its name in the API. Undefined if it is unknown. */
export function factOf<Name extends keyof typeof PROPERTIES>(
  facts: PolicyFacts,
  name: Name,
): PolicyFacts[(typeof PROPERTIES)[Name]] {
  return facts[PROPERTIES[name]];
}

/** Returns the facts as they are stored. Unknown facts are omitted. */
export function storedFactsOf(facts: PolicyFacts): StoredFacts {
  const entries = Object.entries(PROPERTIES).flatMap(([name, property]) => {
    const value = facts[property];
    if (value === undefined) return [];
    return [[name, typeof value === "bigint" ? formatUsdMicros(value) : value]];
  });
  // The return type of `Object.fromEntries` does not preserve the names.
  return Object.fromEntries(entries) as StoredFacts;
}

/** Returns the facts of an operation from their stored form. */
export function factsOf(operation: PolicyOperation, at: Date, stored: StoredFacts): PolicyFacts {
  const { amount_usd, monthly_cost_usd, kya_level, payee_first_seen, ...texts } = stored;
  return {
    ...texts,
    operation,
    at,
    amountUsd: microsOf(amount_usd),
    monthlyCostUsd: microsOf(monthly_cost_usd),
    kyaLevel: kya_level,
    payeeFirstSeen: payee_first_seen,
  };
}

function microsOf(text: string | undefined): UsdMicros | undefined {
  if (text === undefined) return undefined;
  const micros = parseUsdMicros(text);
  if (micros === undefined) throw new Error("a stored fact is not an amount");
  return micros;
}
