/**
 * Pattern for amounts in requests (docs/rules/conventions.md): no sign, exponent or leading zeros, and at most six
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

/** An amount of one token. The compiler rejects `UsdMicros` as base units. */
export interface TokenAmount {
  readonly asset: Asset;
  readonly baseUnits: bigint & { readonly [unit]?: never };
}

/** Returns undefined if the text does not match `DECIMAL_PATTERN` or has more decimals than the asset. */
export function parseTokenAmount(text: string, asset: Asset): TokenAmount | undefined {
  const baseUnits = parseDecimal(text, ASSETS[asset].decimals);
  return baseUnits === undefined ? undefined : { asset, baseUnits };
}

/** Formats with two decimals, or with more if the amount needs them: `"12.40"`, `"0.000001"`. */
export function formatTokenAmount({ asset, baseUnits }: TokenAmount): string {
  return formatAmount(baseUnits, ASSETS[asset].decimals);
}

/**
 * Returns the value of a US dollar stablecoin, one dollar per token. Returns undefined for other tokens, whose value
 * depends on an exchange rate.
 */
export function usdMicrosOfTokens({ asset, baseUnits }: TokenAmount): UsdMicros | undefined {
  const { decimals, isUsdStablecoin } = ASSETS[asset];
  // With more decimals than US dollars have here, the exponent is negative, which throws: no amount is rounded.
  return isUsdStablecoin ? usdMicros(baseUnits * 10n ** BigInt(USD_DECIMALS - decimals)) : undefined;
}

/** The key of a property that exists only in types. */
declare const unit: unique symbol;

/** An amount in millionths of a US dollar. The compiler rejects amounts in other units. */
export type UsdMicros = bigint & { readonly [unit]: "usd-micros" };

const USD_DECIMALS = 6;
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

interface AssetFacts {
  /** One token is 10 to this power base units. */
  readonly decimals: number;
  /** Whether the issuer redeems one token for one US dollar. */
  readonly isUsdStablecoin: boolean;
}

/** The tokens that wallets hold and the ledger records. The API shows these names in uppercase. */
export const ASSETS = {
  usdc: { decimals: 6, isUsdStablecoin: true },
  usdt: { decimals: 6, isUsdStablecoin: true },
  pyusd: { decimals: 6, isUsdStablecoin: true },
  eurc: { decimals: 6, isUsdStablecoin: false },
} as const satisfies Readonly<Record<string, AssetFacts>>;

export type Asset = keyof typeof ASSETS;
