import { expect, it } from "vitest";
import { newSecretToken } from "./secret-token.ts";
import { sha256Hex } from "./signing.ts";

it("creates 32 random bytes as base64url, and the hash of that text", () => {
  const { token, tokenHash } = newSecretToken();

  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(tokenHash).toBe(sha256Hex(token));
});

it("creates 1,000 different tokens", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newSecretToken().token)).size).toBe(1_000);
});
