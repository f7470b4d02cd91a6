import { describe, expect, it } from "vitest";
import { PROFILES } from "../../foundation/profile.ts";
import { vendorNamesOf, vendors } from "../../foundation/vendors/index.ts";
import { catalog, catalogOf, readCatalog } from "./catalog.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test spoils the file in whatever way it likes.
type Draft = any;

describe("the catalog", () => {
  it("is in order, and gives what the file says", () => {
    const { catalog_version, providers } = catalog;
    const file = { catalog_version, providers: providers.toReversed() };

    expect(readCatalog(JSON.stringify(file))).toEqual(catalog);
    expect(providers.map(({ provider }) => provider)).toEqual(
      vendorNamesOf("service_provider").toSorted(),
    );
  });

  it.each(PROFILES)("offers in the %s profile the providers that exist there", (profile) => {
    const { providers } = catalogOf({ settings: { profile } });
    const existing = vendors.filter(
      (vendor) => vendor.kind === "service_provider" && vendor.profiles.includes(profile),
    );

    expect(providers.map(({ provider, display_name }) => [provider, display_name])).toEqual(
      existing.map(({ name, displayName }) => [name, displayName]).toSorted(),
    );
  });

  it.each<[string, (file: Draft, service: Draft) => void]>([
    ["a field that is unknown", (file) => Object.assign(file.providers[0], { oops: 1 })],
    ["a field that is missing", (_file, service) => delete service.async],
    ["a word that is not on the list", (file) => Object.assign(file.providers[0], { auth: "sms" })],
    ["a price that is a number", (_file, service) => (service.plans[1].pricing.amount = 19)],
    ["two providers of one id", (file) => file.providers.push(file.providers[0])],
    ["two plans of one name", (_file, service) => service.plans.push(service.plans[0])],
    ["a service of another provider", (_file, service) => (service.service = "acme/postgres")],
    ["an update to nowhere", (_file, service) => service.plans[0].allowed_updates.push("gold")],
    ["a name of no variable", (_file, service) => (service.env_vars[0].name = "database url")],
    ["a reserved name", (_file, service) => (service.env_vars[0].name = "LD_PRELOAD")],
    ["a link without TLS", (_file, service) => (service.docs_url = "http://neon.com")],
  ])("stops the start over %s", (_what, spoil) => {
    const { catalog_version, providers } = structuredClone(catalog) as Draft;
    const file = { catalog_version, providers };
    spoil(file, providers[0].services[0]);

    expect(() => readCatalog(JSON.stringify(file))).toThrow();
  });
});
