/**
 * Pattern for amounts in requests (docs/api.md, section 11): no sign, exponent or leading zeros, and at most six
 * decimals.
 */
export const DECIMAL_PATTERN = "^(0|[1-9]\\d{0,17})(\\.\\d{1,6})?$";

const DECIMAL = new RegExp(DECIMAL_PATTERN);

/**
 * Converts an amount to the currency's smallest unit. Returns undefined if the text does not match `DECIMAL_PATTERN`.
 * Never rounds: returns undefined if the amount has more decimals than the currency, so with two decimals both
 * `"1.005"` and `"1.500"` are rejected.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
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

/** Formats an amount with at least two decimals, and without further trailing zeros: `"12.40"`, `"0.000001"`. */
export function formatAmount(amount: bigint, decimals: number): string {
  return formatDecimal(amount, decimals).replace(/(\.\d\d\d*?)0+$/, "$1");
}

/** Formats US cents as dollars: `formatUsdCents(1240n)` returns `"12.40"`. */
export function formatUsdCents(cents: bigint): string {
  return formatDecimal(cents, 2);
}
