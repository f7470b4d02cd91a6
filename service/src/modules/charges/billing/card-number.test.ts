import { describe, expect, it } from "vitest";
import { containsCardNumber } from "./payment-method.ts";

describe("containsCardNumber", () => {
  it.each([
    "4242424242424242",
    "pm_4242424242424242",
    "5555 5555 5555 4444",
    "https://shop.test/back?card=3782-822463-10005",
    "1234 and 6011111111111117",
  ])("true: %s", (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  it.each([
    ["the check digit is wrong", "4242424242424241"],
    ["too few digits", "424242424242"],
    ["too many digits", "42424242424242424242"],
    ["a time in milliseconds", "https://shop.test/back?at=1732198800003"],
    ["a Stripe ID", "pm_1Pgc75B7WZ01zgkWlHVgdEGJ"],
  ])("false: %s", (_what, text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it("runs in linear time", () => {
    // A regular expression that takes quadratic time on this text would exceed the test's timeout.
    expect(containsCardNumber("1 ".repeat(500_000))).toBe(false);
  });
});
