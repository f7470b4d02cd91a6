import { describe, expect, it } from "vitest";
import { displayNameOf, hasVendor, vendorNamesOf, vendors } from "./vendors.ts";
import { IDENTITY_PROVIDERS, KEYED_PROVIDERS } from "./vocabulary.ts";

describe("vendors", () => {
  it("contains each vendor and each variable once", () => {
    const names = vendors.map(({ name }) => name);
    const variables = vendors.flatMap(
      ({ urls, secretKeys = {}, webhookSecrets = {}, pollMs = {}, sandboxToken = [], app = [] }) => [
        ...Object.keys({ ...urls, ...secretKeys, ...webhookSecrets, ...pollMs }),
        ...[sandboxToken, app].flat(),
      ],
    );

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(variables).size).toBe(variables.length);
  });

  it("contains the vendors listed in the vocabulary", () => {
    expect(vendorNamesOf("identity")).toEqual(IDENTITY_PROVIDERS);
    expect(vendorNamesOf("key_verifier")).toEqual(KEYED_PROVIDERS);
  });

  it("credential patterns have the flag g, so that redaction replaces every match", () => {
    const patterns = vendors.flatMap(({ credentials = [] }) => credentials);

    expect(patterns.filter(({ global }) => !global)).toEqual([]);
  });

  it("returns the display name of every vendor", () => {
    expect(displayNameOf("github")).toBe("GitHub");
    for (const { name, displayName } of vendors) {
      expect(displayNameOf(name as Parameters<typeof displayNameOf>[0])).toBe(displayName ?? name);
    }
  });

  it.each([
    ["production", "stripe", true],
    ["local", "acme-db", true],
    ["production", "acme-db", false],
    ["local", "nobody", false],
  ] as const)("the profile %s has the vendor %s: %s", (profile, name, expected) => {
    expect(hasVendor(profile, name)).toBe(expected);
  });
});
