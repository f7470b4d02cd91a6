import { describe, expect, it } from "vitest";
import { priceConversion } from "./plan-conversion.ts";

const price = (text: string, amountType: "source" | "target" = "source", feeBps = 15) =>
  priceConversion(text, { amountType, feeBps });

describe("priceConversion", () => {
  it.each([
    ["100.00", 10_000n, 15n],
    ["40", 4_000n, 6n],
    // 0.15 cents are a cent.
    ["1.01", 101n, 1n],
    ["1000000.00", 100_000_000n, 150_000n],
  ])("source %s: the fee is 0.15 percent, rounded up to a cent", (text, sourceCents, feeCents) => {
    expect(price(text)).toEqual({ sourceCents, feeCents });
  });

  it("target: the smallest source that leaves exactly this amount", () => {
    for (const feeBps of [0, 1, 15, 999, 1_000]) {
      for (let target = 100; target < 1_500; target += 1) {
        const { sourceCents, feeCents } = price((target / 100).toFixed(2), "target", feeBps);
        expect(sourceCents - feeCents).toBe(BigInt(target));
        const less = sourceCents - 1n;
        const feeOfLess = (less * BigInt(feeBps) + 9_999n) / 10_000n;
        expect(less - feeOfLess).toBeLessThan(BigInt(target));
      }
    }
  });

  it.each([
    ["1.001", "source", "decimals"],
    ["100.000", "source", "decimals"],
    ["0", "source", "minimum"],
    ["0.99", "source", "minimum"],
    ["1.00", "source", "minimum"],
    ["0.99", "target", "minimum"],
    ["1000000.01", "source", "maximum"],
    ["1000000.00", "target", "maximum"],
    ["999999999999999999", "target", "maximum"],
  ] as const)("422: %s as %s: %s", (text, amountType, code) => {
    expect(() => price(text, amountType)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: "/body/amount", code })] }),
    );
  });
});
