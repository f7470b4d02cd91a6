import { expect, it } from "vitest";
import { deriveSecret } from "./derive-secret.ts";

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
