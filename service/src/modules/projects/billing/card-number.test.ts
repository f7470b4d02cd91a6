import { describe, expect, it } from "vitest";
import { holdsCardNumber } from "./card-number.ts";

describe("a card's number", () => {
  it.each([
    "4242424242424242",
    "pm_4242424242424242",
    "5555 5555 5555 4444",
    "https://shop.test/back?card=3782-822463-10005",
    "1234 and 6011111111111117",
  ])("is seen in %s", (text) => {
    expect(holdsCardNumber(text)).toBe(true);
  });

  it.each([
    ["of another check digit", "4242424242424241"],
    ["of too few digits", "424242424242"],
    ["of too many digits", "42424242424242424242"],
    ["of a time in milliseconds", "https://shop.test/back?at=1732198800003"],
    ["of Stripe's ids", "pm_1Pgc75B7WZ01zgkWlHVgdEGJ"],
  ])("is not seen in a text %s", (_what, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it("is looked for in a time that grows with the text", () => {
    // One that grows faster would run into the test's time.
    expect(holdsCardNumber("1 ".repeat(500_000))).toBe(false);
  });
});
