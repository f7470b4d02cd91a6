import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DECIMAL_PATTERN, formatAmount, formatDecimal, parseDecimal } from "./money.ts";

describe("amounts", () => {
  it.each([
    ["0", 2, 0n],
    ["0.01", 2, 1n],
    ["12.4", 2, 1_240n],
    ["999999999999999999.99", 2, 99_999_999_999_999_999_999n],
    ["1.000001", 6, 1_000_001n],
    ["1.005", 2, undefined],
    ["1.500", 2, undefined],
    ["1e3", 2, undefined],
    ["-0", 2, undefined],
    ["1".repeat(19), 2, undefined],
    ["", 2, undefined],
  ])("parseDecimal(%j, %i) is %s", (text, decimals, amount) => {
    expect(parseDecimal(text, decimals)).toBe(amount);
  });

  it.each(["", "-1", "+1", "01", "1.", ".5", "1e3", "1,5", " 1", "1 ", "0x1", "NaN", "1.0000001", "1".repeat(19)])(
    "the pattern rejects %j",
    (text) => {
      expect(new RegExp(DECIMAL_PATTERN).test(text)).toBe(false);
    },
  );

  it.each(["0", "0.1", "10", "1.000001", "9".repeat(18), `${"9".repeat(18)}.999999`])(
    "the pattern accepts %j",
    (text) => {
      expect(new RegExp(DECIMAL_PATTERN).test(text)).toBe(true);
    },
  );

  it.each([
    [0n, 0, "0"],
    [7n, 0, "7"],
    [-7n, 0, "-7"],
    [0n, 2, "0.00"],
    [5n, 2, "0.05"],
    [1_240n, 2, "12.40"],
    [-1_240n, 2, "-12.40"],
    [1n, 6, "0.000001"],
  ])("formatDecimal(%s, %i) is %s", (amount, decimals, text) => {
    expect(formatDecimal(amount, decimals)).toBe(text);
  });

  it.each([
    [0n, "0.00"],
    [1n, "0.000001"],
    [10n, "0.00001"],
    [100_000n, "0.10"],
    [120_000n, "0.12"],
    [123_000n, "0.123"],
    [5_000_000n, "5.00"],
    [100_000_000n, "100.00"],
    [-1_500_000n, "-1.50"],
  ])("formatAmount(%s, 6) is %s", (amount, text) => {
    expect(formatAmount(amount, 6)).toBe(text);
  });

  it("formatDecimal reverses parseDecimal", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.constantFrom(0, 2, 6), (amount, decimals) => {
        const text = formatDecimal(amount, decimals);
        expect(parseDecimal(text, decimals)).toBe(amount);
        expect(formatDecimal(-amount, decimals)).toBe(amount === 0n ? text : `-${text}`);
      }),
    );
  });
});
