import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usdMicros } from "../../foundation/money.ts";
import { percentUsed, periodOf, remainingMicros } from "./usage.ts";

describe("usage", () => {
  it.each([
    ["2026-11-01T00:00:00.000Z", "2026-11-01", "2026-12-01"],
    ["2026-11-30T23:59:59.999Z", "2026-11-01", "2026-12-01"],
    ["2026-12-31T23:59:59.999Z", "2026-12-01", "2027-01-01"],
    ["2028-02-29T12:00:00.000Z", "2028-02-01", "2028-03-01"],
  ])("periodOf: returns the UTC month of %s", (now, start, end) => {
    expect(periodOf(new Date(now))).toEqual({ start: new Date(start), end: new Date(end) });
  });

  const usageOf = (spent: bigint, reserved = 0n) => ({
    period: periodOf(new Date("2026-11-21T10:00:00.000Z")),
    spentMicros: usdMicros(spent),
    reservedMicros: usdMicros(reserved),
  });

  it("remainingMicros: subtracts spent and reserved amounts, and is never negative", () => {
    expect(remainingMicros(usdMicros(1000n), usageOf(300n, 200n))).toBe(500n);
    expect(remainingMicros(usdMicros(1000n), usageOf(900n, 200n))).toBe(0n);
  });

  it.each([
    [1000n, 0n, 0],
    [1000n, 999n, 99.9],
    [10_000n, 9_999n, 99.9],
    [1000n, 1000n, 100],
    [1000n, 1500n, 150],
    [0n, 0n, 100],
  ])("percentUsed: cap %d, spent %d: %d percent", (cap, spent, percent) => {
    expect(percentUsed(usdMicros(cap), usageOf(spent))).toBe(percent);
  });

  it("percentUsed: counts reserved amounts the same as spent ones", () => {
    expect(percentUsed(usdMicros(1000n), usageOf(300n, 450n))).toBe(75);
    expect(percentUsed(usdMicros(1000n), usageOf(750n))).toBe(75);
  });

  it("percentUsed: is at least 100 if and only if remainingMicros is zero", () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(amounts, amounts, amounts, (cap, spent, reserved) => {
        const usage = usageOf(spent, reserved);
        expect(percentUsed(usdMicros(cap), usage) >= 100).toBe(remainingMicros(usdMicros(cap), usage) === 0n);
      }),
    );
  });
});
