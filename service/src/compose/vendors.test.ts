import { describe, expect, it } from "vitest";
import { newSecrets } from "../config/new-secrets.ts";
import { readConfig } from "../config.ts";
import { systemClock } from "../foundation/clock.ts";
import { PROFILES } from "../foundation/profile.ts";
import { displayNameOf, hasVendor, vendorNamesOf } from "../foundation/vendors/index.ts";
import { catalogOf, offerReleased } from "../modules/catalog/catalog.ts";
import { composeVendors } from "./vendors.ts";

const config = readConfig({
  ...newSecrets(),
  PURSER_PROFILE: "test",
  PURSER_CLAIMS_FILE: "nowhere",
  PURSER_AUDIT_ANCHOR_FILE: "nowhere",
  DATABASE_URL: "postgres://127.0.0.1/nowhere",
  SMTP_URL: "smtp://127.0.0.1:9",
});

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
});
