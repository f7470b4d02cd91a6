import { describe, expect, it } from "vitest";
import { newSecrets } from "../config/new-secrets.ts";
import { readConfig } from "../config.ts";
import { systemClock } from "../foundation/clock.ts";
import { displayNameOf, hasVendor, vendorNamesOf } from "../foundation/vendors.ts";
import { PROFILES } from "../foundation/vocabulary.ts";
import { catalogOf, offerReleased } from "../modules/catalog/catalog.ts";
import { composeVendors } from "./vendors.ts";

const environment = {
  ...newSecrets(),
  PURSER_PROFILE: "test",
  PURSER_CLAIMS_FILE: "nowhere",
  PURSER_AUDIT_ANCHOR_FILE: "nowhere",
  DATABASE_URL: "postgres://127.0.0.1/nowhere",
  SMTP_URL: "smtp://127.0.0.1:9",
};
const config = readConfig(environment);

const NONE = { live: null, test: null };

describe("composeVendors", () => {
  it.each(PROFILES)("offers the providers of the %s profile, each with its entry in the catalog", (profile) => {
    const { providers } = composeVendors({ ...config, settings: { profile } }, systemClock);
    const names = vendorNamesOf("service_provider").filter((name) => hasVendor(profile, name));

    offerReleased(providers.values());

    expect(catalogOf({ providers }).map(({ provider, display_name }) => [provider, display_name])).toEqual(
      names.map((name) => [name, displayNameOf(name)]).toSorted(),
    );
  });

  it("verifies the keys of every vendor with the role", () => {
    const { providerKeyVerifiers } = composeVendors(config, systemClock);

    expect([...providerKeyVerifiers.keys()]).toEqual(vendorNamesOf("key_verifier"));
  });

  it("has the operator's key of each mode for the ramp, or null, and verifies the ramp's webhooks", () => {
    const optionalKeys = { ...config.vendors.optionalKeys, BRIDGE_TEST_API_KEY: "sk-test-1" };

    const { ramp, vendorWebhooks } = composeVendors(
      { ...config, vendors: { ...config.vendors, optionalKeys } },
      systemClock,
    );

    expect(ramp.operatorKeys).toEqual({ live: null, test: "sk-test-1" });
    expect(vendorWebhooks.has("bridge")).toBe(true);
  });

  it("connects bank accounts and screens holders only in the modes with a secret of Plaid", () => {
    const keys = { PLAID_CLIENT_ID: "0123456789abcdef01234567", PLAID_TEST_SECRET: "0123456789abcdef0123456789abcd" };
    const without = composeVendors(config, systemClock);
    const { bankLink, identityScreening } = composeVendors(
      readConfig({ ...environment, ...keys, PII_DATABASE_URL: "postgres://pii@127.0.0.1/purser" }),
      systemClock,
    );

    expect(without).toMatchObject({ bankLink: NONE, identityScreening: NONE });
    for (const adapters of [bankLink, identityScreening]) {
      expect(adapters).toEqual({ live: null, test: expect.anything() });
    }
  });
});
