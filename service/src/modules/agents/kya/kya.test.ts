import { describe, expect, it } from "vitest";
import { type KyaFacts, kyaAt } from "./kya.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const LATER = new Date("2026-11-21T10:00:00.001Z");
const NOTHING: KyaFacts = {
  publicKeys: [],
  kybStatus: "unverified",
  kybExpiresAt: null,
  attestedBy: null,
  attestedUntil: null,
};
const KEY = { publicKeys: ["k"] };
const VERIFIED = { kybStatus: "verified", kybExpiresAt: LATER } as const;
const ATTESTED = { attestedBy: "https://issuer.example", attestedUntil: LATER };

describe("kyaAt", () => {
  it.each<[string, Partial<KyaFacts>, string, string, Date | null]>([
    ["no evidence", {}, "none", "pending", null],
    ["a key", KEY, "basic", "passed", null],
    ["a verified developer", VERIFIED, "verified", "passed", LATER],
    ["KYB that never expires", { ...VERIFIED, kybExpiresAt: null }, "verified", "passed", null],
    ["KYB that is pending", { kybStatus: "pending" }, "none", "pending", null],
    ["a token", ATTESTED, "attested", "passed", LATER],
    ["everything", { ...KEY, ...VERIFIED, ...ATTESTED }, "attested", "passed", LATER],
    ["a key and expired KYB", { ...KEY, ...VERIFIED, kybExpiresAt: NOW }, "basic", "passed", null],
    ["an expired token", { ...ATTESTED, attestedUntil: NOW }, "none", "expired", null],
    ["a key and an expired token", { ...KEY, ...ATTESTED, attestedUntil: NOW }, "basic", "passed", null],
  ])("%s", (_what, facts, level, status, expiresAt) => {
    expect(kyaAt({ ...NOTHING, ...facts }, NOW)).toMatchObject({ level, status, expiresAt });
  });
});
