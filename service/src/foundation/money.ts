/**
 * Pattern for amounts in requests (docs/api.md, section 11): no sign, exponent or leading zeros, and at most six
 * decimals.
 */
export const DECIMAL_PATTERN = "^(0|[1-9]\\d{0,17})(\\.\\d{1,6})?$";

/**
 * Converts an amount to the currency's smallest unit. Never rounds: returns undefined if the amount has more decimals
 * than the currency, so with two decimals both `"1.005"` and `"1.500"` are rejected.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Formats an amount with all decimals: `formatDecimal(1240n, 2)` returns `"12.40"`. */
export function formatDecimal(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Formats US cents as dollars: `formatUsdCents(1240n)` returns `"12.40"`. */
export function formatUsdCents(cents: bigint): string {
  return formatDecimal(cents, 2);
}
