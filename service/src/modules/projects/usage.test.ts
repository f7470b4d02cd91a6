import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forecastCents, percentUsed, periodOf, remainingCents } from "./usage.ts";

describe("usage", () => {
  it.each([
    ["2026-11-01T00:00:00.000Z", "2026-11-01", "2026-12-01"],
    ["2026-11-30T23:59:59.999Z", "2026-11-01", "2026-12-01"],
    ["2026-12-31T23:59:59.999Z", "2026-12-01", "2027-01-01"],
    ["2028-02-29T12:00:00.000Z", "2028-02-01", "2028-03-01"],
  ])("periodOf: returns the UTC month of %s", (now, start, end) => {
    expect(periodOf(new Date(now))).toEqual({ start: new Date(start), end: new Date(end) });
  });

  const usageOf = (spentCents: bigint, reservedCents = 0n) => ({
    period: periodOf(new Date("2026-11-21T10:00:00.000Z")),
    spentCents,
    reservedCents,
  });

  it("remainingCents: subtracts spent and reserved amounts, and is never negative", () => {
    expect(remainingCents(1000n, usageOf(300n, 200n))).toBe(500n);
    expect(remainingCents(1000n, usageOf(900n, 200n))).toBe(0n);
  });

  it.each([
    [1000n, 0n, 0],
    [1000n, 999n, 99.9],
    [10_000n, 9_999n, 99.9],
    [1000n, 1000n, 100],
    [1000n, 1500n, 150],
    [1000n, -50n, 0],
    [0n, 0n, 100],
  ])("percentUsed: cap %d cents, %d cents spent: %d percent", (cap, spent, percent) => {
    expect(percentUsed(cap, usageOf(spent))).toBe(percent);
  });

  it("forecastCents: extrapolates linearly, and returns zero if nothing is spent", () => {
    const middle = new Date("2026-11-16T00:00:00.000Z");

    expect(forecastCents(usageOf(500n), middle)).toBe(1000n);
    expect(forecastCents(usageOf(0n), middle)).toBe(0n);
    expect(forecastCents(usageOf(500n), new Date("2026-11-01T00:00:00.000Z"))).toBe(500n);
  });

  it("percentUsed: counts reserved cents the same as spent cents", () => {
    expect(percentUsed(1000n, usageOf(300n, 450n))).toBe(75);
    expect(percentUsed(1000n, usageOf(750n))).toBe(75);
  });

  it("percentUsed: is at least 100 if and only if remainingCents is zero", () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(cents, cents, cents, (cap, spent, reserved) => {
        const usage = usageOf(spent, reserved);
        expect(percentUsed(cap, usage) >= 100).toBe(remainingCents(cap, usage) === 0n);
      }),
    );
  });

  it("forecastCents: returns the spending unchanged if refunds exceed charges", () => {
    const middle = new Date("2026-11-16T00:00:00.000Z");

    expect(forecastCents(usageOf(-50n), middle)).toBe(-50n);
  });

  it("forecastCents: returns the spending unchanged at the end of the period", () => {
    expect(forecastCents(usageOf(500n), new Date("2026-12-01T00:00:00.000Z"))).toBe(500n);
  });
});
