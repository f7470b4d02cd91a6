import { describe, expect, it } from "vitest";
import acmeDbEntry from "../../adapters/service-provider/acme-db/catalog.json" with { type: "json" };
import { offerConfigured, offerReleased } from "./catalog.ts";
import { configValidatorOf } from "./catalog-config.ts";

// biome-ignore lint/suspicious/noExplicitAny: the tests make changes to the file that its type does not allow.
type Draft = any;

describe("an entry of an adapter", () => {
  it.each<[string, (entry: Draft, service: Draft) => void]>([
    ["an unknown field", (entry) => Object.assign(entry, { oops: 1 })],
    ["a missing field", (_entry, service) => delete service.async],
    ["an unknown enum value", (entry) => Object.assign(entry, { auth: "sms" })],
    ["the id of another provider", (entry) => Object.assign(entry, { provider: "acme" })],
    ["a price as a number", (_entry, service) => (service.plans[1].pricing.amount = 19)],
    ["a price of half a cent", (_entry, service) => (service.plans[1].pricing.amount = "9.005")],
    ["two services with the same id", (entry, service) => entry.services.push(service)],
    ["two plans with the same name", (_entry, service) => service.plans.push(service.plans[0])],
    ["a service of another provider", (_entry, service) => (service.service = "acme/postgres")],
    ["an unknown plan", (_entry, service) => service.plans[0].allowed_updates.push("gold")],
    ["an invalid variable name", (_entry, service) => (service.env_vars[0].name = "database url")],
    ["a reserved variable name", (_entry, service) => (service.env_vars[0].name = "LD_PRELOAD")],
    ["a URL without TLS", (_entry, service) => (service.docs_url = "http://neon.com")],
  ])("stops the start if it has %s", (_what, breakEntry) => {
    const entry = structuredClone(acmeDbEntry) as Draft;
    breakEntry(entry, entry.services[0]);

    expect(() => offerReleased([{ provider: "acme-db", catalogEntry: entry }])).toThrow("The catalog is invalid");
  });
});

describe("the entry of a configured provider", () => {
  const offer = (change: (service: Draft, entry: Draft) => void) => {
    const entry = structuredClone(acmeDbEntry) as Draft;
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
