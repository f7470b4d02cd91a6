import { formatUsdMicros, parseUsdMicros, type UsdMicros } from "../../../foundation/money.ts";
import type { KyaLevel, PolicyOperation } from "../../../foundation/vocabulary.ts";

/** Facts about an operation, by their names in rules. */
interface Facts<Amount> {
  readonly amount_usd?: Amount | undefined;
  readonly monthly_cost_usd?: Amount | undefined;
  readonly payee?: string | undefined;
  readonly network?: string | undefined;
  readonly token?: string | undefined;
  readonly provider?: string | undefined;
  readonly service?: string | undefined;
  /** Several if the provider is in several categories. A condition then looks for any of them. */
  readonly category?: string | readonly string[] | undefined;
  readonly plan?: string | undefined;
  readonly kya_level?: KyaLevel | undefined;
  readonly payee_first_seen?: boolean | undefined;
}

/** What is known about an operation when it is decided. A rule about an unknown fact does not match. */
export interface PolicyFacts extends Facts<UsdMicros> {
  readonly operation: PolicyOperation;
  readonly at: Date;
}

/** Facts as they are stored, without the operation and the time. Amounts are decimal texts. */
export type StoredFacts = Facts<string>;

/** Returns the amount that budgets and the threshold are compared with. */
export function spendingOf({ amount_usd, monthly_cost_usd }: PolicyFacts): UsdMicros | undefined {
  return amount_usd ?? monthly_cost_usd;
}

/** Returns the facts as they are stored. Unknown facts are omitted. */
export function storedFactsOf({ operation: _operation, at: _at, ...facts }: PolicyFacts): StoredFacts {
  const entries = Object.entries(facts).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === "bigint" ? formatUsdMicros(value) : value]];
  });
  // The return type of `Object.fromEntries` does not preserve the names.
  return Object.fromEntries(entries) as StoredFacts;
}

/** Returns the facts of an operation from their stored form. */
export function factsOf(operation: PolicyOperation, at: Date, stored: StoredFacts): PolicyFacts {
  const { amount_usd, monthly_cost_usd } = stored;
  return { ...stored, operation, at, amount_usd: microsOf(amount_usd), monthly_cost_usd: microsOf(monthly_cost_usd) };
}

function microsOf(text: string | undefined): UsdMicros | undefined {
  if (text === undefined) return undefined;
  const micros = parseUsdMicros(text);
  if (micros === undefined) throw new Error("a stored fact is not an amount");
  return micros;
}
