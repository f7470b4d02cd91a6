import { expect, it } from "vitest";
import { deriveSecret, newSecretToken } from "./secret-token.ts";
import { sha256Hex } from "./signing.ts";

it("creates 32 random bytes as base64url, and the hash of that text", () => {
  const { token, tokenHash } = newSecretToken();

  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(tokenHash).toBe(sha256Hex(token));
});

it("creates 1,000 different tokens", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newSecretToken().token)).size).toBe(1_000);
});

const hex = (purpose: readonly [string, ...string[]]) => deriveSecret("Jefe", purpose).toString("hex");

it("matches RFC 4231, test case 2, for a purpose with one part", () => {
  expect(hex(["what do ya want for nothing?"])).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

it("joins the parts of a purpose with newlines", () => {
  expect(hex(["mail", "token", "1"])).toBe(hex(["mail\ntoken\n1"]));
});

it("returns different bytes for a different purpose or secret", () => {
  const derived = [hex(["a", "b"]), hex(["ab"]), hex(["b", "a"]), deriveSecret("jefe", ["a", "b"]).toString("hex")];

  expect(new Set(derived).size).toBe(4);
});
