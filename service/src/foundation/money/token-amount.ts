import { formatAmount, parseDecimal } from "../money.ts";
import { ASSETS, type Asset } from "./assets.ts";
import { USD_DECIMALS, type UsdMicros, type unit, usdMicros } from "./usd-micros.ts";

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
