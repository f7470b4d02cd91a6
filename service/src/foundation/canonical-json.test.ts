import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "./canonical-json.ts";

describe("canonicalJson", () => {
  it("writes the example of RFC 8785, section 3.2.2", () => {
    const value = {
      numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27],
      string: '\u20ac$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };

    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("returns the same text for any order of the members", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        const text = canonicalJson(object as Json);
        expect(canonicalJson(reversed as Json)).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  it.each([undefined, () => 1, Symbol("a")])("throws for %s, which has no JSON form", (value) => {
    expect(() => canonicalJson(value as unknown as Json)).toThrow("The value has no JSON form.");
  });

  it.each(["\ud800", Number.NaN, Number.POSITIVE_INFINITY])("throws for %s", (value) => {
    expect(() => canonicalJson([value])).toThrow();
  });
});
