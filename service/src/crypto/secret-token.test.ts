import { expect, it } from "vitest";
import { newSecretToken } from "./secret-token.ts";
import { sha256Hex } from "./signing.ts";

it("32 bytes as base64url and the hash of that text: a token is made", () => {
  const { token, tokenHash } = newSecretToken();

  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(tokenHash).toBe(sha256Hex(token));
});

it("1,000 different tokens: 1,000 tokens are made", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newSecretToken().token)).size).toBe(1_000);
});
