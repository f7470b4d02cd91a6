/** The form of an amount on the wire (contract, ruling 12): no sign, no exponent, no leading zeros, at most six decimals. */
export const DECIMAL_PATTERN = "^(0|[1-9]\\d{0,17})(\\.\\d{1,6})?$";

/**
 * The amount in the currency's smallest unit, or undefined where it has more decimals than the currency. Amounts are never
 * rounded: `"1.005"` with two decimals is refused, `"1.500"` is too, since it claims a precision that is not there.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** The amount as decimal text with all its decimals: `formatDecimal(1240n, 2)` is `"12.40"`. */
export function formatDecimal(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount of US dollars: `formatUsdCents(1240n)` is `"12.40"`. */
export function formatUsdCents(cents: bigint): string {
  return formatDecimal(cents, 2);
}
