import { formatAmount, parseDecimal } from "../money.ts";

/** The key of a property that exists only in types. */
export declare const unit: unique symbol;

/** An amount in millionths of a US dollar. The compiler rejects amounts in other units. */
export type UsdMicros = bigint & { readonly [unit]: "usd-micros" };

export const USD_DECIMALS = 6;
const MICROS_PER_CENT = 10_000n;

/** Marks a number of millionths of a US dollar as such, for example the sum of two amounts. */
export function usdMicros(amount: bigint): UsdMicros {
  return amount as UsdMicros;
}

/** Returns undefined if the text does not match `DECIMAL_PATTERN`. */
export function parseUsdMicros(text: string): UsdMicros | undefined {
  return parseDecimal(text, USD_DECIMALS) as UsdMicros | undefined;
}

/** Formats with two to six decimals: `"12.40"`, `"0.000001"`. */
export function formatUsdMicros(micros: UsdMicros): string {
  return formatAmount(micros, USD_DECIMALS);
}

export function usdMicrosFromCents(cents: bigint): UsdMicros {
  return usdMicros(cents * MICROS_PER_CENT);
}
