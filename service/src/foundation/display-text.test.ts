import { describe, expect, it } from "vitest";
import { isDisplaySafe, isVisible, withoutIgnorable } from "./text.ts";

describe("display text", () => {
  it.each([0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])(
    "U+%i changes the direction of the text around it",
    (code) => {
      expect(isDisplaySafe(`a${String.fromCodePoint(code)}b`)).toBe(false);
      expect(isVisible(`a${String.fromCodePoint(code)}b`)).toBe(false);
    },
  );

  it.each(["buyer", "مشتري", "קונה", "買い手", "🛒", "👩\u200d💻", "co\u00adop", "a\u200eb"])(
    "%j is visible",
    (text) => {
      expect(isVisible(text)).toBe(true);
    },
  );

  it.each(["", " ", "\u00a0", "\u200b", "\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u00ad", "\u{e0041}"])(
    "%j shows nothing",
    (text) => {
      expect(isVisible(text)).toBe(false);
    },
  );

  it("withoutIgnorable: names that look the same are the same", () => {
    expect(withoutIgnorable("pay\u200bpal\u00ad\ufe0f")).toBe("paypal");
  });
});
