import { describe, expect, it } from "vitest";
import { PROFILES } from "../../foundation/profile.ts";
import { vendorNamesOf, vendors } from "../../foundation/vendors/index.ts";
import { catalog, catalogOf, offerConfigured, readCatalog } from "./catalog.ts";
import { configValidatorOf } from "./catalog-config.ts";

// biome-ignore lint/suspicious/noExplicitAny: the tests make changes to the file that its type does not allow.
type Draft = any;

describe("the catalog", () => {
  it("lists every provider once, sorted by id", () => {
    const { catalog_version, providers } = catalog;
    const file = { catalog_version, providers: providers.toReversed() };

    expect(readCatalog(JSON.stringify(file))).toEqual(catalog);
    expect(providers.map(({ provider }) => provider)).toEqual(vendorNamesOf("service_provider").toSorted());
  });

  it.each(PROFILES)("offers the providers of the %s profile", (profile) => {
    const { providers } = catalogOf({ settings: { profile }, providers: new Map() });
    const existing = vendors.filter(
      (vendor) => vendor.kind === "service_provider" && vendor.profiles.includes(profile),
    );

    expect(providers.map(({ provider, display_name }) => [provider, display_name])).toEqual(
      existing.map(({ name, displayName }) => [name, displayName]).toSorted(),
    );
  });

  it.each<[string, (file: Draft, service: Draft) => void]>([
    ["an unknown field", (file) => Object.assign(file.providers[0], { oops: 1 })],
    ["a missing field", (_file, service) => delete service.async],
    ["an unknown enum value", (file) => Object.assign(file.providers[0], { auth: "sms" })],
    ["a price as a number", (_file, service) => (service.plans[1].pricing.amount = 19)],
    ["a price of half a cent", (_file, service) => (service.plans[1].pricing.amount = "9.005")],
    ["two providers with the same id", (file) => file.providers.push(file.providers[0])],
    ["two services with the same id", (file, service) => file.providers[0].services.push(service)],
    ["two plans with the same name", (_file, service) => service.plans.push(service.plans[0])],
    ["a service of another provider", (_file, service) => (service.service = "acme/postgres")],
    ["an unknown plan", (_file, service) => service.plans[0].allowed_updates.push("gold")],
    ["an invalid variable name", (_file, service) => (service.env_vars[0].name = "database url")],
    ["a reserved variable name", (_file, service) => (service.env_vars[0].name = "LD_PRELOAD")],
    ["a URL without TLS", (_file, service) => (service.docs_url = "http://neon.com")],
  ])("throws for a file with %s", (_what, breakFile) => {
    const { catalog_version, providers } = structuredClone(catalog) as Draft;
    const file = { catalog_version, providers };
    breakFile(file, providers[0].services[0]);

    expect(() => readCatalog(JSON.stringify(file))).toThrow();
  });
});

describe("the entry of a configured provider", () => {
  const offer = (change: (service: Draft, entry: Draft) => void) => {
    const entry = structuredClone(catalog.providers[0]) as Draft;
    Object.assign(entry, { provider: "made-up" });
    entry.services.splice(1);
    const [service] = entry.services;
    service.service = "made-up/store";
    change(service, entry);
    return offerConfigured({ provider: "made-up" }, entry);
  };
  const plansOf = (count: number) => (service: Draft) => {
    const [plan] = service.plans;
    service.plans = Array.from({ length: count }, (_, index) => ({
      ...plan,
      ...{ plan: `plan-${index}`, allowed_updates: [] },
    }));
  };

  it("is refused with the place of the first problem", () => {
    const offered = () => offer((_service, entry) => (entry.terms.url = "http://made-up.invalid"));
    expect(offered).toThrow("/terms/url must match pattern");
  });

  it.each([{ type: "no such type" }, { type: "object", properties: { size: { minimum: "1" } } }])(
    "is refused if the configuration of a service has the schema %j",
    (schema) => {
      expect(() => offer((service) => (service.config_schema = schema))).toThrow("schema is invalid");
    },
  );

  const nulls = (count: number) => Array.from({ length: count }, () => ({ type: "null" }));
  const schemaOf = (schema: object) => ({
    type: "object",
    additionalProperties: { items: { items: schema } },
  });

  it.each([
    ["too many subschemas", schemaOf({ allOf: nulls(480) })],
    ["too much text", schemaOf({ description: "x".repeat(9_000) })],
    ["a pattern", schemaOf({ pattern: "^a$" })],
    ["patterns of names", schemaOf({ patternProperties: { "^a$": {} } })],
    ["a reference", schemaOf({ $ref: "#" })],
    ["items that must differ", schemaOf({ uniqueItems: true })],
  ])("is refused if the configuration of a service has a schema with %s", (_what, schema) => {
    expect(() => offer((service) => (service.config_schema = schema))).toThrow("cannot be validated fast");
  });

  it("is refused if the schemas of its services together are too large", () => {
    const offerMany = (count: number) =>
      offer((service, { services }) => {
        service.config_schema = schemaOf({ allOf: nulls(200) });
        for (let index = 1; index < count; index += 1) {
          services.push({ ...service, service: `made-up/store-${"x".repeat(index)}` });
        }
      });

    expect(offerMany(10).services).toHaveLength(10);
    expect(() => offerMany(20)).toThrow("schemas are too large");
  });

  it("stops the validation of a configuration at the first error", () => {
    const entry = offer((service) => (service.config_schema = schemaOf({ allOf: nulls(200) })));
    const [service] = entry.services;
    if (service === undefined) throw new Error("the entry has a service");
    const validate = configValidatorOf(service);

    expect(validate({ list: [Array.from({ length: 900 }, (_, index) => index)] })).toBe(false);
    expect(validate.errors).toHaveLength(1);
  });

  it("has at most 200 plans", () => {
    expect(offer(plansOf(200)).services[0]?.plans).toHaveLength(200);
    expect(() => offer(plansOf(201))).toThrow("too many plans");
  });
});
