import { describe, expect, it } from "vitest";
import { MODES } from "../foundation/vocabulary.ts";
import { isApiKey, newKeyPair } from "./api-keys.ts";
import { sha256Hex } from "./signing.ts";

describe("newKeyPair", () => {
  it.each(MODES)("creates a %s key and secret with the expected prefixes and lengths", (mode) => {
    const pair = newKeyPair(mode);

    expect(pair.apiKey).toMatch(new RegExp(`^svc_sk_${mode}_[A-Za-z0-9_-]{43}$`));
    expect(pair.apiSecret).toMatch(new RegExp(`^svc_ss_${mode}_[A-Za-z0-9_-]{64}$`));
    expect(pair.keyHash).toBe(sha256Hex(pair.apiKey));
    expect(pair.signingKey).toBe(sha256Hex(pair.apiSecret));
    expect(pair.keyHint).toBe(`…${pair.apiKey.slice(-4)}`);
    expect(isApiKey(pair.apiKey)).toBe(true);
    expect(isApiKey(pair.apiSecret)).toBe(false);
  });

  it("creates different keys", () => {
    const pairs = Array.from({ length: 1_000 }, () => newKeyPair("live"));

    expect(new Set(pairs.flatMap(({ apiKey, apiSecret }) => [apiKey, apiSecret])).size).toBe(2_000);
  });
});

describe("isApiKey", () => {
  const random = "A".repeat(43);

  it.each([
    [`svc_sk_live_${random}`, true],
    [`svc_sk_test_${random}`, true],
    [`svc_sk_LIVE_${random}`, false],
    [`svc_sk_prod_${random}`, false],
    [`svc_ss_live_${random}`, false],
    [`svc_sk_live_${random}A`, false],
    [`svc_sk_live_${random.slice(1)}`, false],
    [`svc_sk_live_${random.slice(1)}=`, false],
    [`svc_sk_live_${random.slice(1)}+`, false],
    [` svc_sk_live_${random}`, false],
    [`svc_sk_live_${random}\n`, false],
    [`Bearer svc_sk_live_${random}`, false],
    ["", false],
  ])("%j: %s", (text, is) => {
    expect(isApiKey(text)).toBe(is);
  });
});
