import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { formatDecimal } from "../../foundation/money.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { Count, NamedObject, Timestamp } from "../../foundation/wire/fields.ts";
import { RATE_CURRENCIES, type RateCurrency } from "../../ports/stablecoin-ramp.ts";
import { vendorFailure } from "./fiat-accounts.ts";
import { getRampOwner, openRamp } from "./vendor-access.ts";

const VALID_MS = 30_000;
const DOLLAR_TOKENS: readonly string[] = ["usdc", "usdt", "pyusd"];

/** Rates are computed with 18 decimals and shown with 4 to 8. */
const ONE = 10n ** 18n;
const SHOWN_DECIMALS = 8;
const SHOWN_ONE = 10n ** BigInt(SHOWN_DECIMALS);
const BASIS_POINTS = 10_000n;

const RateText = Type.String({ pattern: "^\\d+\\.\\d{4,8}$", examples: ["0.9985"] });

export const ExchangeRateResource = NamedObject("ExchangeRate", {
  object: Type.Literal("exchange_rate"),
  source: Type.String({ examples: ["usdc"] }),
  dest: Type.String({ examples: ["usd"] }),
  rate: { ...RateText, description: "What one unit of `source` is worth in `dest`, after the spread." },
  inverse_rate: { ...RateText, description: "1 divided by `rate`." },
  mid_rate: { ...RateText, description: "The rate before the spread." },
  spread_bps: Count("The spread in hundredths of a percent. 0 with your own Bridge keys."),
  provider: Type.Enum(["bridge"]),
  as_of: Timestamp,
  expires_at: { ...Timestamp, description: "When the rate can change." },
});

interface RateUser {
  readonly tenantId: TenantId;
  readonly mode: Mode;
}

interface Pair {
  readonly source: string;
  readonly dest: string;
  /** The currency that is not the dollar. Null if both are dollars. */
  readonly currency: RateCurrency | null;
}

type RateApp = Parameters<typeof openRamp>[0] & Pick<App, "dollarRates" | "settings">;

/**
 * Returns the rate of a pair. A dollar stablecoin is worth a dollar. USDC in another currency follows Bridge's rate of the
 * dollar, which is read at most every 30 seconds for all callers. Throws a 422 for other pairs, `provider_not_configured`
 * and `provider_unavailable`.
 */
export async function getExchangeRate(
  app: RateApp,
  user: RateUser,
  names: { readonly source: string; readonly dest: string },
): Promise<Static<typeof ExchangeRateResource>> {
  const pair = parsePair(names.source.toLowerCase(), names.dest.toLowerCase());
  const owner = await getRampOwner(app.db, user);
  const spreadBps = owner === "developer" ? 0 : app.settings.fiatFeeBps;
  const { mid, readAt } =
    pair.currency === null
      ? { mid: ONE, readAt: app.clock.now() }
      : await readMidRate(app, pair, pair.currency, () => openRamp(app, user, owner));
  const rate = divide(mid * (BASIS_POINTS - BigInt(spreadBps)) * SHOWN_ONE, ONE * BASIS_POINTS);
  return {
    object: "exchange_rate",
    source: pair.source,
    dest: pair.dest,
    rate: formatRate(rate),
    inverse_rate: formatRate(divide(SHOWN_ONE * SHOWN_ONE, rate)),
    mid_rate: formatRate(divide(mid * SHOWN_ONE, ONE)),
    spread_bps: spreadBps,
    provider: "bridge",
    as_of: readAt.toISOString(),
    expires_at: new Date(readAt.getTime() + VALID_MS).toISOString(),
  };
}

function parsePair(source: string, dest: string): Pair {
  const isBetweenDollars = (token: string, other: string) => DOLLAR_TOKENS.includes(token) && other === "usd";
  if (isBetweenDollars(source, dest) || isBetweenDollars(dest, source)) return { source, dest, currency: null };
  const currency = RATE_CURRENCIES.find((name) => name === (source === "usdc" ? dest : source));
  if (currency !== undefined && (source === "usdc" || dest === "usdc")) return { source, dest, currency };
  if (source === dest) throw invalidField("/query/dest", "same_currency", "is the same currency as source");
  throw new AppError("unsupported_pair", {
    errors: [{ pointer: "/query/dest", code: "unsupported_pair", detail: `cannot be combined with ${source}` }],
  });
}

/** Returns the rate before the spread: away from the dollar Bridge sells dollars' worth, towards it Bridge buys. */
async function readMidRate(
  app: RateApp,
  { source }: Pair,
  currency: RateCurrency,
  open: () => ReturnType<typeof openRamp>,
): Promise<{ readonly mid: bigint; readonly readAt: Date }> {
  const { rate, readAt } = await readDollarRate(app, currency, open);
  const { buy, sell } = await rate;
  const mid = source === "usdc" ? parseRate(sell) : divide(ONE * ONE, parseRate(buy));
  return { mid, readAt };
}

type DollarRateReading = App["dollarRates"] extends Map<RateCurrency, infer Reading> ? Reading : never;

async function readDollarRate(
  { dollarRates, clock }: Pick<App, "dollarRates" | "clock">,
  currency: RateCurrency,
  open: () => ReturnType<typeof openRamp>,
): Promise<DollarRateReading> {
  // The keys are opened first, so that the answer to a caller without keys does not depend on what others have read.
  const ramp = await open();
  const now = clock.now();
  const known = dollarRates.get(currency);
  if (known !== undefined && now.getTime() - known.readAt.getTime() < VALID_MS) return known;
  const reading = { readAt: now, rate: ramp.readRate(currency).catch(vendorFailure) };
  dollarRates.set(currency, reading);
  reading.rate.catch(() => {
    if (dollarRates.get(currency) === reading) dollarRates.delete(currency);
  });
  return reading;
}

function parseRate(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  const rate = /^\d{1,9}(\.\d{1,18})?$/.test(text) ? BigInt(whole + fraction.padEnd(18, "0")) : 0n;
  if (rate === 0n) throw new AppError("provider_unavailable", { internal: "Bridge's rate is not a positive decimal" });
  return rate;
}

/** Divides, and rounds half to even. */
function divide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = 2n * (dividend % divisor);
  const isAbove = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return isAbove ? quotient + 1n : quotient;
}

function formatRate(rate: bigint): string {
  return formatDecimal(rate, SHOWN_DECIMALS).replace(/(\.\d{4}\d*?)0+$/, "$1");
}
