import { type Static, Type } from "typebox";
import { Check, Errors } from "typebox/value";
import { DECIMAL_PATTERN, parseDecimal } from "../../foundation/money.ts";
import { isReservedName, VARIABLE_NAME_PATTERN } from "../../foundation/variable-names.ts";
import { BILLERS, type Biller } from "../../foundation/vocabulary.ts";
import { countValues, isFastSchema } from "../../foundation/wire/config-schema.ts";
import { Flag, ListOf, OneOf, StrictObject, Text } from "../../foundation/wire/fields.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { compileConfigSchemas } from "./catalog-config.ts";

const closed = { additionalProperties: false } as const;

const amount = (description: string) => Type.String({ pattern: DECIMAL_PATTERN, description });
const word = (description: string) => Type.String({ pattern: "^[a-z][a-z0-9_-]{0,63}$", description });
const url = (description: string) => Type.String({ pattern: "^https://", description });

/** The price of metered use. */
export const UnitPrice = StrictObject("UnitPrice", {
  metric: word("The billed quantity, for example `compute_hours`."),
  unit_price: amount("Price per unit of the metric."),
});

export type UnitPrice = Static<typeof UnitPrice>;

const CatalogPlan = StrictObject("CatalogPlan", {
  plan: word("Id of the plan within the service, for example `free`."),
  pricing: Type.Object(
    {
      type: OneOf(
        ["free", "paid", "component", "usage"],
        "Type of the price. `paid`: a fixed price per billing interval. `usage`: billed by metered use.",
      ),
      amount: Type.Optional(amount("Fixed price per billing interval.")),
      currency: Type.Optional(Type.Enum(["usd"])),
      interval: Type.Optional(Type.Enum(["month", "year"])),
      usage: Type.Optional(ListOf(UnitPrice, "Prices for metered use.")),
    },
    closed,
  ),
  limits: Type.Optional(
    Type.Record(Type.String(), Type.Number(), {
      description: "The plan's limits. Each name ends with its unit, for example `storage_gb`.",
    }),
  ),
  payment_method_required: Flag("Whether the plan requires a payment method that can be charged."),
  preauthorization_amount: Type.Optional(
    amount(
      "Estimated cost of one month of use. When a service is added, this amount or the fixed price, whichever is higher, is reserved. Reserved amounts count toward the caps of the project and the provider.",
    ),
  ),
  billed_by: OneOf(
    BILLERS,
    "Who bills the plan. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method.",
  ),
  proration: OneOf(
    ["none", "daily"],
    "What a fixed price costs in a month in which the service was added, removed or changed its plan. `none`: the whole price. `daily`: a part for each started day.",
  ),
  allowed_updates: ListOf(word("A plan id."), "Ids of the plans that a service with this plan can switch to."),
});

const CatalogService = StrictObject("CatalogService", {
  service: Text("Id of the service: `provider/slug`.", { pattern: "^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$" }),
  kind: OneOf(
    ["plan", "deployable", "addon"],
    "Kind of the service. `deployable`: adding the service creates a resource at the provider.",
  ),
  description: Type.String(),
  async: Flag(
    "Whether provisioning takes minutes. If true, `POST /projects/{project_id}/services` usually returns a `poll_url`.",
  ),
  credential_type: OneOf(
    ["single", "multiple"],
    "How many valid credentials a resource can have at the same time. `single`: one. `multiple`: several.",
  ),
  deprovision_effect: OneOf(
    ["destroy", "detach"],
    "What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider.",
  ),
  config_schema: Type.Record(Type.String(), Type.Unknown(), {
    description: "JSON Schema of `config` in the request that adds the service.",
  }),
  env_vars: ListOf(
    Type.Object(
      // A variable name can have up to 128 characters. The limit of 50 leaves room for prefixes.
      {
        name: Text("Name of the variable, without the `env_prefix` of a service.", {
          pattern: VARIABLE_NAME_PATTERN,
          maxLength: 50,
        }),
        sensitive: Flag("Whether the value is a secret."),
      },
      closed,
    ),
    "Variables that the service adds to env bundles. Empty if the provider's catalog does not contain them: the names are then fixed when the resource is created, and start with the provider's id.",
  ),
  requires_plan: ListOf(
    Type.String(),
    "Plans that the service requires, for example `neon/launch`. Empty if it requires none. Not checked in this API version.",
  ),
  plans: Type.Array(CatalogPlan, {
    minItems: 1,
    description: "The service's plans. The first one is the default.",
  }),
  llm_context_url: Type.Optional(url("URL of the provider's documentation that is written for language models.")),
  docs_url: Type.Optional(url("URL of the provider's documentation that is written for people.")),
});

export type CatalogPlan = Static<typeof CatalogPlan>;
export type CatalogService = Static<typeof CatalogService>;

/** A provider with its services (docs/rules/services.md). The adapters and the API response share this schema. */
export const CatalogProvider = StrictObject("CatalogProvider", {
  provider: word("The provider's id, for example `neon`."),
  display_name: Type.String(),
  categories: Type.Array(word("A category, for example `database`.")),
  auth: OneOf(
    ["oauth", "api_token", "instant"],
    "How a project is linked to the provider. `oauth`: a user gives consent on the provider's page. `api_token`: a user enters an API token for the provider in a form. `instant`: the provider creates an account immediately.",
  ),
  protocol: Text(
    "The protocol that Purser uses to call the provider. `native` is the provider's own API, `agentic-0.1d` the agentic provisioning protocol.",
  ),
  terms: Type.Object(
    {
      version: Text("Current version of the terms. To accept the terms, send this version as `accept_terms_version`."),
      url: url("URL of the terms."),
    },
    { ...closed, description: "The provider's terms of service." },
  ),
  regions: Type.Array(Type.String(), {
    minItems: 1,
    description: "The provider's regions. The first one is the default.",
  }),
  health: OneOf(
    ["ok", "degraded", "down"],
    "The provider's health when this version of the catalog was published, or when its entry was last read. `degraded`: the entry is not current.",
  ),
  services: Type.Array(CatalogService, { minItems: 1 }),
});
export type CatalogProvider = Static<typeof CatalogProvider>;

/** The version of the entries that are part of Purser. */
export const CATALOG_VERSION = "2026-11-24";

interface Offer {
  readonly entry: CatalogProvider;
  /** Whether the entry is part of Purser, so that only a release changes it. */
  readonly isReleased: boolean;
  /** Whether the provider opens its dashboard for a resource. */
  readonly hasDashboard: boolean;
}

/**
 * The entries of this process, by provider id: those of the adapters, and those that were read from configured providers.
 * All apps of a process share them, because events are presented without an app.
 */
const offers = new Map<string, Offer>();

/** All plans of an entry are in one response, and each process keeps the entry. */
const CONFIGURED_PLANS_MAX = 200;
const CONFIGURED_SCHEMA_VALUES_MAX = 5_000;

type OfferingProvider = Pick<ServiceProvider, "provider" | "billedBy" | "openDashboard">;

/** Adds the entries that are part of Purser. Throws if one is invalid, so that the process does not start. */
export function offerReleased(providers: Iterable<OfferingProvider & Pick<ServiceProvider, "catalogEntry">>): void {
  for (const { provider, catalogEntry, openDashboard } of providers) {
    if (catalogEntry === undefined || offers.get(provider)?.entry === catalogEntry) continue;
    const entry = parseEntry(provider, catalogEntry);
    compileConfigSchemas(entry.services, { allErrors: true });
    offers.set(provider, { entry, isReleased: true, hasDashboard: openDashboard !== undefined });
  }
}

/** Returns the entry of a configured provider. Throws if it is invalid, or of another provider. */
export function parseConfiguredEntry(provider: string, value: unknown): CatalogProvider {
  const entry = parseEntry(provider, value);
  const plans = entry.services.flatMap((service) => service.plans);
  check(plans.length <= CONFIGURED_PLANS_MAX, `${provider} has too many plans`);
  checkSchemas(entry);
  return entry;
}

/** Adds or replaces the entry of a configured provider. Throws the errors of `parseConfiguredEntry`. */
export function offerConfigured(
  { provider, billedBy, openDashboard }: OfferingProvider,
  value: unknown,
): CatalogProvider {
  const parsed = parseConfiguredEntry(provider, value);
  const entry = billedBy === undefined ? parsed : withBiller(parsed, billedBy);
  offers.set(provider, { entry, isReleased: false, hasDashboard: openDashboard !== undefined });
  return entry;
}

/** An entry that was stored can be older than the configuration. */
function withBiller(entry: CatalogProvider, billed_by: Biller): CatalogProvider {
  const services = entry.services.map((service) => ({
    ...service,
    plans: service.plans.map((plan) => ({ ...plan, billed_by })),
  }));
  return { ...entry, services };
}

export function hasDashboard(provider: string): boolean {
  return offers.get(provider)?.hasDashboard === true;
}

/** Returns whether the entry of the service (`provider/slug`) is part of Purser, so that only a release changes it. */
export function isReleased(service: string): boolean {
  const [provider = ""] = service.split("/");
  return offers.get(provider)?.isReleased === true;
}

/** Returns a provider that this process has offered, or undefined if its entry is unknown. */
export function findCatalogProvider(name: string): CatalogProvider | undefined {
  return offers.get(name)?.entry;
}

/**
 * Returns the entries of the app's providers, sorted by id. Requests that link a provider, cap a provider or add a service
 * accept only these providers.
 */
export function catalogOf({ providers }: { readonly providers: ReadonlyMap<string, unknown> }): CatalogProvider[] {
  return [...providers.keys()].sort().flatMap((name) => findCatalogProvider(name) ?? []);
}

function parseEntry(provider: string, entry: unknown): CatalogProvider {
  if (!Check(CatalogProvider, entry)) {
    const [problem] = Errors(CatalogProvider, entry);
    throw invalidCatalog(`${problem?.instancePath} ${problem?.message}`);
  }
  checkServices(entry);
  check(entry.provider === provider, `${provider} offers services as ${entry.provider}`);
  return entry;
}

function checkServices({ provider, services }: CatalogProvider): void {
  const ids = services.map(({ service }) => service);
  check(new Set(ids).size === ids.length, `${provider} has two services with the same id`);
  for (const { service, env_vars, plans } of services) {
    const names = plans.map(({ plan }) => plan);
    const updates = plans.flatMap(({ allowed_updates }) => allowed_updates);
    check(service.startsWith(`${provider}/`), `${service} does not belong to ${provider}`);
    check(!env_vars.some(({ name }) => isReservedName(name)), `${service} sets a reserved name`);
    check(new Set(names).size === names.length, `${service} has two plans with the same name`);
    const amounts = plans.flatMap((plan) => [plan.pricing.amount, plan.preauthorization_amount]);
    check(amounts.every(isCents), `${service} has a price with more than two decimals`);
    check(
      updates.every((plan) => names.includes(plan)),
      `${service} allows an update to a plan that does not exist`,
    );
  }
}

/** Compiles the schemas of `config`. Each process does so whenever it reads the entry, and serves no request meanwhile. */
function checkSchemas({ provider, services }: CatalogProvider): void {
  for (const { service, config_schema: schema } of services) {
    check(isFastSchema(schema), `a config of ${service} cannot be validated fast`);
  }
  const count = countValues(services.map(({ config_schema }) => config_schema));
  check(count <= CONFIGURED_SCHEMA_VALUES_MAX, `${provider}'s config schemas are too large`);
  compileConfigSchemas(services, { allErrors: false });
}

function isCents(amount = "0"): boolean {
  return parseDecimal(amount, 2) !== undefined;
}

function check(isValid: boolean, problem: string): void {
  if (!isValid) throw invalidCatalog(problem);
}

function invalidCatalog(problem: string): Error {
  return new Error(`The catalog is invalid: ${problem}.`);
}
