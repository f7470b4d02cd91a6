import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "./canonical-json.ts";

describe("canonicalJson", () => {
  it("sorts names by UTF-16 code units and formats numbers and text as RFC 8785 requires", () => {
    // The examples of RFC 8785, sections 3.2.2 and 3.2.3.
    const numbers = { numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27], zero: -0 };
    const names = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };

    expect(canonicalJson(numbers)).toBe('{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"zero":0}');
    expect(Object.values(JSON.parse(canonicalJson(names)))).toHaveLength(7);
    expect([...canonicalJson(names).matchAll(/:"([^"]+)"/g)].map(([, text]) => text)).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
    expect(canonicalJson('\u20ac$\u000f\nA\'B"\\\\"/')).toBe(String.raw`"€$\u000f\nA'B\"\\\\\"/"`);
  });

  it("returns equal text for equal values in any member order, and the text parses to the value", () => {
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), value), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        const text = canonicalJson(object as Json);
        const same = JSON.parse(JSON.stringify(object));
        return canonicalJson(reversed as Json) === text && isDeepStrictEqual(JSON.parse(text), same);
      }),
    );
  });

  it("includes a member named __proto__", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":"x"}'))).toBe('{"__proto__":"x","b":1}');
  });

  it.each([
    ["a lone surrogate", "\ud800", "Text with a lone surrogate"],
    ["a lone surrogate in a name", { "\udc00": 1 }, "Text with a lone surrogate"],
    ["a number that is not finite", [Number.NaN], "NaN is not a JSON number."],
    ["an infinite number", Number.POSITIVE_INFINITY, "Infinity is not a JSON number."],
    ["undefined", { a: undefined }, "A value of type undefined is not JSON."],
    ["a bigint", 1n, "A value of type bigint is not JSON."],
    ["a function", () => 1, "A value of type function is not JSON."],
    ["a date", new Date(0), "A value of type object is not JSON."],
  ])("a TypeError with the reason: the value is %s", (_what, value, reason) => {
    expect(() => canonicalJson(value as Json)).toThrow(TypeError);
    expect(() => canonicalJson(value as Json)).toThrow(reason);
  });
});
