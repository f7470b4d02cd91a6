import { describe, expect, it } from "vitest";
import { normalizeCode, normalizeCredential, normalizePem } from "./text.ts";

describe("pasted text", () => {
  it.each(["123456", " 123 456\n", "123-456", "123\u2013456", "１２３４５６", "123\u00A0456", "\u200B123456"])(
    "normalizeCode: %j becomes 123456",
    (code) => {
      expect(normalizeCode(code)).toBe("123456");
    },
  );

  it.each(["sk_1", " sk_1 ", "sk_1\r\n", '"sk_1"', "'sk_1'\n", "`sk_1`", '" sk_1 "'])(
    "normalizeCredential: %j becomes sk_1",
    (text) => {
      expect(normalizeCredential(text)).toBe("sk_1");
    },
  );

  it.each(['"', "a'b", "\"a'", "a b"])("normalizeCredential: %j is not changed", (text) => {
    expect(normalizeCredential(text)).toBe(text);
  });

  const pem = "-----BEGIN PUBLIC KEY-----\nMCowBQ\nYDK2Vw\n-----END PUBLIC KEY-----";

  it.each([
    ["a trailing line break", `${pem}\n`],
    ["CRLF", pem.replaceAll("\n", "\r\n")],
    ["the characters \\n", pem.replaceAll("\n", "\\n")],
    ["the characters \\n in quotes", `"${pem.replaceAll("\n", "\\n")}\\n"`],
    ["the characters \\r\\n", pem.replaceAll("\n", "\\r\\n")],
    ["indentation", pem.replaceAll("\n", "\n\t    ")],
    ["spaces at the ends of lines", pem.replaceAll("\n", "  \n")],
  ])("normalizePem: %s", (_name, text) => {
    expect(normalizePem(text)).toBe(`${pem}\n`);
  });
});
