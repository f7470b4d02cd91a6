import { describe, expect, it } from "vitest";
import { nameKeyOf, slugOf } from "./projects.ts";

describe("a project's name", () => {
  it.each([
    ["My App", "my-app"],
    ["  --Töchter & Söhne!-- ", "tochter-sohne"],
    ["日本語", "project"],
    ["🚀", "project"],
    [`${"a".repeat(62)} b`, "a".repeat(62)],
    ["x".repeat(100), "x".repeat(63)],
  ])("slugOf: %s becomes %s", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it("nameKeyOf: ignores case and Unicode encoding, but not spaces", () => {
    expect(nameKeyOf("CAF\u00c9")).toBe(nameKeyOf("cafe\u0301"));
    expect(nameKeyOf("a b")).not.toBe(nameKeyOf("a  b"));
    expect(nameKeyOf("Pay\u200bpal\u00ad")).toBe(nameKeyOf("paypal"));
  });
});
