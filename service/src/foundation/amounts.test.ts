import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ASSETS,
  type Asset,
  formatTokenAmount,
  formatUsdMicros,
  parseTokenAmount,
  parseUsdMicros,
  type UsdMicros,
  usdMicros,
  usdMicrosFromCents,
  usdMicrosOfTokens,
} from "./money.ts";

/** The largest amount with 18 digits before the point and six after it. */
const AMOUNT_MAX = 10n ** 24n - 1n;
const amounts = fc.bigInt({ min: 0n, max: AMOUNT_MAX });
const assets = fc.constantFrom(...(Object.keys(ASSETS) as Asset[]));

/** Texts that are not amounts, each for a different reason. */
const HOSTILE = [
  "",
  " ",
  "1 ",
  " 1",
  "1\n",
  "-1",
  "-0",
  "-0.00",
  "+1",
  "01",
  "00",
  "1.",
  ".5",
  ".",
  "1..5",
  "1.5.5",
  "1,5",
  "1_000",
  "1e3",
  "1E3",
  "1e-3",
  "1.5e2",
  "0x10",
  "0b1",
  "1n",
  "NaN",
  "Infinity",
  "-Infinity",
  "null",
  "[]",
  "$1",
  "1.0000001",
  `1.${"0".repeat(20)}`,
  `0.${"1".repeat(20)}`,
  `1${"0".repeat(18)}`,
  `1${"0".repeat(39)}`,
  "9".repeat(400),
  // Digits of other scripts: Arabic-Indic, fullwidth, superscript, mathematical bold.
  "\u0661",
  "\uff11",
  "\u00b9",
  "\u{1d7cf}",
  "1\u0660",
  // A zero-width space, a byte order mark and a null character.
  "1\u200b",
  "\ufeff1",
  "1\u0000",
  // A minus sign and a full stop of other scripts.
  "\u22121",
  "1\uff0e5",
];

describe("amounts in US dollars", () => {
  it.each(HOSTILE)("parseUsdMicros(%j) is undefined", (text) => {
    expect(parseUsdMicros(text)).toBeUndefined();
  });

  it.each([
    ["0", 0n],
    ["0.000001", 1n],
    ["12.5", 12_500_000n],
    [`${"9".repeat(18)}.999999`, AMOUNT_MAX],
  ])("parseUsdMicros(%j) is %s", (text, micros) => {
    expect(parseUsdMicros(text)).toBe(micros);
  });

  it("formatting and parsing returns the same amount", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseUsdMicros(formatUsdMicros(usdMicros(amount)))).toBe(amount);
      }),
    );
  });

  it("formats with two to six decimals and without further trailing zeros", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -AMOUNT_MAX, max: AMOUNT_MAX }), (amount) => {
        expect(formatUsdMicros(usdMicros(amount))).toMatch(/^-?(0|[1-9]\d*)\.\d{2}(\d{0,3}[1-9])?$/);
      }),
    );
  });

  it("converts cents exactly", () => {
    expect(usdMicrosFromCents(1_240n)).toBe(12_400_000n);
    fc.assert(
      fc.property(amounts, (cents) => {
        expect(usdMicrosFromCents(cents) / 10_000n).toBe(cents);
      }),
    );
  });
});

describe("amounts of tokens", () => {
  it.each(HOSTILE)("parseTokenAmount(%j) is undefined", (text) => {
    for (const asset of Object.keys(ASSETS) as Asset[]) {
      expect(parseTokenAmount(text, asset)).toBeUndefined();
    }
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), assets, (text, asset) => {
        const amount = parseTokenAmount(text, asset);
        if (amount !== undefined) expect(text).toMatch(/^[0-9]{1,18}(\.[0-9]{1,6})?$/);
      }),
    );
  });

  it("formatting and parsing returns the same amount", () => {
    fc.assert(
      fc.property(amounts, assets, (baseUnits, asset) => {
        const amount = { asset, baseUnits };
        expect(parseTokenAmount(formatTokenAmount(amount), asset)).toEqual(amount);
      }),
    );
  });

  it("formats with at least two decimals and at most the asset's", () => {
    fc.assert(
      fc.property(amounts, assets, (baseUnits, asset) => {
        const decimals = formatTokenAmount({ asset, baseUnits }).split(".")[1]?.length;
        expect(decimals).toBeGreaterThanOrEqual(2);
        expect(decimals).toBeLessThanOrEqual(ASSETS[asset].decimals);
      }),
    );
  });

  it.each(["usdc", "usdt", "pyusd"] as const)("one %s is one US dollar", (asset) => {
    expect(usdMicrosOfTokens({ asset, baseUnits: 1_500_000n })).toBe(1_500_000n);
  });

  it("the value of another token in US dollars is undefined", () => {
    expect(usdMicrosOfTokens({ asset: "eurc", baseUnits: 1n })).toBeUndefined();
  });

  it("the compiler rejects an amount of the other unit", () => {
    const dollars = usdMicros(1n);
    const tokens = { asset: "usdc", baseUnits: 1n } as const;

    // @ts-expect-error
    formatTokenAmount({ asset: "usdc", baseUnits: dollars });
    // @ts-expect-error
    formatUsdMicros(tokens.baseUnits);
    // @ts-expect-error
    const sum: UsdMicros = dollars + tokens.baseUnits;
    expect(sum).toBe(2n);
  });
});
