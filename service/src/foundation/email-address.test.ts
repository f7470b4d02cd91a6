import { describe, expect, it } from "vitest";
import { isEmailAddress, normalizeEmail } from "./text.ts";

describe("normalizeEmail", () => {
  it.each([
    ["Ada@Example.COM", "ada@example.com"],
    [" ada@example.com\n", "ada@example.com"],
    ["ada@münchen.de", "ada@xn--mnchen-3ya.de"],
    ["ada@MÜNCHEN.DE", "ada@xn--mnchen-3ya.de"],
    ["ada@xn--mnchen-3ya.de", "ada@xn--mnchen-3ya.de"],
    ["ada@mu\u0308nchen.de", "ada@xn--mnchen-3ya.de"],
    ["ada@例え.jp", "ada@xn--r8jz45g.jp"],
    ["\u212Aim@example.com", "\u212Aim@example.com"],
    ["no address", "no address"],
  ])("%j becomes %j", (text, expected) => {
    expect(normalizeEmail(text)).toBe(expected);
  });
});

describe("isEmailAddress", () => {
  it.each(["ada@münchen.de", "a@example.com", `${"a".repeat(64)}@example.com`])("%s is one", (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    "ada@münchen",
    "ada@mün chen.de",
    "ada@münchen..de",
    `ada@${"ü".repeat(63)}.de`,
    `${"a".repeat(65)}@example.com`,
    `ada@${`${"a".repeat(60)}.`.repeat(4)}example.com`,
  ])("%s is none", (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});
