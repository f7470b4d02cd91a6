import { invalidField } from "../../../foundation/errors.ts";
import { parseDecimal } from "../../../foundation/money.ts";

const CENTS_MIN = 1_00n;
const CENTS_MAX = 1_000_000_00n;
const BASIS_POINTS = 10_000n;

/** What a conversion takes from the source, and what of it is Purser's fee. The destination gets the rest. */
export interface ConversionPrice {
  readonly sourceCents: bigint;
  readonly feeCents: bigint;
}

/**
 * Prices a conversion of dollars into a dollar stablecoin or back, one to one. The fee is a share of the source, rounded up to a
 * cent. `target` fixes what the destination gets: the source is the smallest amount that leaves it. Throws `validation_error`
 * for more than two decimals, a destination below 1.00 and a source above 1,000,000.00.
 */
export function priceConversion(
  text: string,
  { amountType, feeBps }: { readonly amountType: "source" | "target"; readonly feeBps: number },
): ConversionPrice {
  const cents = parseDecimal(text, 2);
  if (cents === undefined) {
    throw invalidField(
      "/body/amount",
      "decimals",
      "must have at most two decimals, because both sides are counted in cents",
    );
  }
  // So that no huge number is computed with.
  if (cents > CENTS_MAX) throw aboveMaximum();
  const sourceCents = amountType === "source" ? cents : sourceOf(cents, BigInt(feeBps));
  const feeCents = feeOf(sourceCents, BigInt(feeBps));
  if (sourceCents - feeCents < CENTS_MIN) {
    throw invalidField("/body/amount", "minimum", "must leave at least 1.00 for the destination");
  }
  if (sourceCents > CENTS_MAX) throw aboveMaximum();
  return { sourceCents, feeCents };
}

function feeOf(sourceCents: bigint, feeBps: bigint): bigint {
  return (sourceCents * feeBps + BASIS_POINTS - 1n) / BASIS_POINTS;
}

/** What is left rises by 0 or 1 with each cent of the source, so some source leaves exactly the target. */
function sourceOf(targetCents: bigint, feeBps: bigint): bigint {
  let sourceCents = (targetCents * BASIS_POINTS) / (BASIS_POINTS - feeBps);
  while (sourceCents - feeOf(sourceCents, feeBps) < targetCents) sourceCents += 1n;
  return sourceCents;
}

function aboveMaximum() {
  return invalidField("/body/amount", "maximum", "must be at most 1,000,000.00 at the source");
}
