import { expect, it } from "vitest";
import { matchTotp, newTotpSecret, totpCode, totpUrl } from "./totp.ts";

// Test vectors from RFC 6238, appendix B, truncated to six digits. The secret is the ASCII text 12345678901234567890.
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const VECTORS: readonly [seconds: number, code: string][] = [
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
];
const at = (seconds: number) => new Date(seconds * 1000);

it.each(VECTORS)("matches the RFC's code at %d seconds", (seconds, code) => {
  expect(totpCode(SECRET, at(seconds))).toBe(code);
  expect(matchTotp(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
});

it("accepted: the codes of the previous and next time steps; returns their steps", () => {
  const step = 41_152_263;
  const code = totpCode(SECRET, at(step * 30));
  expect(matchTotp(SECRET, code, at(step * 30 - 1))).toBe(step);
  expect(matchTotp(SECRET, code, at(step * 30 + 59))).toBe(step);
});

it("rejected: a code from two time steps earlier or later", () => {
  const step = 41_152_263;
  const code = totpCode(SECRET, at(step * 30));
  expect(matchTotp(SECRET, code, at(step * 30 - 31))).toBeUndefined();
  expect(matchTotp(SECRET, code, at(step * 30 + 60))).toBeUndefined();
});

it.each(["", "28708", "2870820", " 287082", "287082\n", "２８７０８２", "28708a"])(
  "rejected: not six digits, %j",
  (code) => {
    expect(matchTotp(SECRET, code, at(59))).toBeUndefined();
  },
);

it("creates different secrets of 160 bits", () => {
  const secrets = new Set(Array.from({ length: 50 }, newTotpSecret));
  expect(secrets.size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

it("writes the otpauth URL", () => {
  expect(totpUrl({ secret: SECRET, account: "ada@example.com", issuer: "Purser" })).toBe(
    `otpauth://totp/Purser:ada%40example.com?issuer=Purser&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  );
});
