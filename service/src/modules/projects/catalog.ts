import { readFileSync } from "node:fs";
import { type Static, Type } from "typebox";
import { Assert, Check, Errors } from "typebox/value";
import type { App } from "../../app.ts";
import { DECIMAL_PATTERN, parseDecimal } from "../../foundation/money.ts";
import { PROFILES } from "../../foundation/profile.ts";
import { recordOf } from "../../foundation/record-of.ts";
import { hasVendor } from "../../foundation/vendors/index.ts";
import { BILLERS, type Biller } from "../../foundation/vocabulary.ts";
import { countValues, isFastSchema } from "../../foundation/wire/config-schema.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { compileConfigSchemas } from "./catalog-config.ts";
import { isReservedName, VARIABLE_NAME_PATTERN } from "./variables/variable-names.ts";

const closed = { additionalProperties: false } as const;

const amount = (description: string) => Type.String({ pattern: DECIMAL_PATTERN, description });
const word = (description: string) => Type.String({ pattern: "^[a-z][a-z0-9_-]{0,63}$", description });
const url = (description: string) => Type.String({ pattern: "^https://", description });

/** The price of metered use. */
export const UnitPrice = Type.Object(
  {
    metric: word("The billed quantity, for example `compute_hours`."),
    unit_price: amount("Price per unit of the metric."),
  },
  closed,
);

export type UnitPrice = Static<typeof UnitPrice>;

const CatalogPlan = Type.Object(
  {
    plan: word("Id of the plan within the service, for example `free`."),
    pricing: Type.Object(
      {
        type: Type.Enum(["free", "paid", "component", "usage"], {
          description: "Type of the price. `paid`: a fixed price per billing interval. `usage`: billed by metered use.",
        }),
        amount: Type.Optional(amount("Fixed price per billing interval.")),
        currency: Type.Optional(Type.Enum(["usd"])),
        interval: Type.Optional(Type.Enum(["month", "year"])),
        usage: Type.Optional(Type.Array(UnitPrice, { description: "Prices for metered use." })),
      },
      closed,
    ),
    limits: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description: "The plan's limits. Each name ends with its unit, for example `storage_gb`.",
      }),
    ),
    payment_method_required: Type.Boolean({
      description: "Whether the plan requires a payment method that can be charged.",
    }),
    preauthorization_amount: Type.Optional(
      amount(
        "Estimated cost of one month of use. When a service is added, this amount or the fixed price, whichever is higher, is reserved. Reserved amounts count toward the caps of the project and the provider.",
      ),
    ),
    billed_by: Type.Enum([...BILLERS], {
      description:
        "Who bills the plan. `vendor`: the provider, through the linked account. `purser`: Purser, through the project's payment method.",
    }),
    proration: Type.Enum(["none", "daily"], {
      description:
        "What a fixed price costs in a month in which the service was added, removed or changed its plan. `none`: the whole price. `daily`: a part for each started day.",
    }),
    allowed_updates: Type.Array(word("A plan id."), {
      description: "Ids of the plans that a service with this plan can switch to.",
    }),
  },
  { ...closed, $id: "CatalogPlan" },
);

const CatalogService = Type.Object(
  {
    service: Type.String({
      pattern: "^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$",
      description: "Id of the service: `provider/slug`.",
    }),
    kind: Type.Enum(["plan", "deployable", "addon"], {
      description: "Kind of the service. `deployable`: adding the service creates a resource at the provider.",
    }),
    description: Type.String(),
    async: Type.Boolean({
      description:
        "Whether provisioning takes minutes. If true, `POST /projects/{project_id}/services` usually returns a `poll_url`.",
    }),
    credential_type: Type.Enum(["single", "multiple"], {
      description:
        "How many valid credentials a resource can have at the same time. `single`: one. `multiple`: several.",
    }),
    deprovision_effect: Type.Enum(["destroy", "detach"], {
      description:
        "What happens to the provider's resource when the service is removed. `destroy`: it is deleted. `detach`: it stays at the provider.",
    }),
    config_schema: Type.Record(Type.String(), Type.Unknown(), {
      description: "JSON Schema of `config` in the request that adds the service.",
    }),
    env_vars: Type.Array(
      Type.Object(
        // A variable name can have up to 128 characters. The limit of 50 leaves room for prefixes.
        {
          name: Type.String({
            pattern: VARIABLE_NAME_PATTERN,
            maxLength: 50,
            description: "Name of the variable, without the `env_prefix` of a service.",
          }),
          sensitive: Type.Boolean({ description: "Whether the value is a secret." }),
        },
        closed,
      ),
      {
        description:
          "Variables that the service adds to env bundles. Empty if the provider's catalog does not contain them: the names are then fixed when the resource is created, and start with the provider's id.",
      },
    ),
    requires_plan: Type.Array(Type.String(), {
      description:
        "Plans that the service requires, for example `neon/launch`. Empty if it requires none. Not checked in this API version.",
    }),
    plans: Type.Array(CatalogPlan, {
      minItems: 1,
      description: "The service's plans. The first one is the default.",
    }),
    llm_context_url: Type.Optional(url("URL of the provider's documentation that is written for language models.")),
    docs_url: Type.Optional(url("URL of the provider's documentation that is written for people.")),
  },
  { ...closed, $id: "CatalogService" },
);

export type CatalogPlan = Static<typeof CatalogPlan>;
export type CatalogService = Static<typeof CatalogService>;

/** A provider with its services (docs/api.md, section 18). catalog.json and the API response share this schema. */
export const CatalogProvider = Type.Object(
  {
    provider: word("The provider's id, for example `neon`."),
    display_name: Type.String(),
    categories: Type.Array(word("A category, for example `database`.")),
    auth: Type.Enum(["oauth", "api_token", "instant"], {
      description:
        "How a project is linked to the provider. `oauth`: a user gives consent on the provider's page. `api_token`: a user enters an API token for the provider in a form. `instant`: the provider creates an account immediately.",
    }),
    protocol: Type.String({
      description:
        "The protocol that Purser uses to call the provider. `native` is the provider's own API, `agentic-0.1d` the agentic provisioning protocol.",
    }),
    terms: Type.Object(
      {
        version: Type.String({
          description:
            "Current version of the terms. To accept the terms, send this version as `accept_terms_version`.",
        }),
        url: url("URL of the terms."),
      },
      { ...closed, description: "The provider's terms of service." },
    ),
    regions: Type.Array(Type.String(), {
      minItems: 1,
      description: "The provider's regions. The first one is the default.",
    }),
    health: Type.Enum(["ok", "degraded", "down"], {
      description:
        "The provider's health when this version of the catalog was published, or when its entry was last read. `degraded`: the entry is not current.",
    }),
    services: Type.Array(CatalogService, { minItems: 1 }),
  },
  { ...closed, $id: "CatalogProvider" },
);
export type CatalogProvider = Static<typeof CatalogProvider>;

const CatalogFile = Type.Object({ catalog_version: Type.String(), providers: Type.Array(CatalogProvider) }, closed);
export type Catalog = Static<typeof CatalogFile>;

/**
 * The catalog with the providers of all deployment profiles (`production`, `test` and `local`). Use it to look up
 * existing services, and `catalogOf` for the services that can be added. If the file is invalid, loading this module
 * throws and the process does not start.
 */
export const catalog: Catalog = readCatalog(readFileSync(new URL("./catalog.json", import.meta.url), "utf8"));

const CATALOG_BY_PROFILE = recordOf(PROFILES, (profile) => ({
  ...catalog,
  providers: catalog.providers.filter(({ provider }) => hasVendor(profile, provider)),
}));

/** The entries of the providers that are configured, by provider id. Each process reads them from the providers. */
const configured = new Map<string, CatalogProvider>();

/** All plans of an entry are in one response, and each process keeps the entry. */
const CONFIGURED_PLANS_MAX = 200;
const CONFIGURED_SCHEMA_VALUES_MAX = 5_000;

/** The configured providers that open their dashboard for a resource. */
const withDashboard = new Set<string>();

/** Returns the entry of a configured provider. Throws if it is invalid, or of another provider. */
export function parseConfiguredEntry(provider: string, entry: unknown): CatalogProvider {
  if (!Check(CatalogProvider, entry)) {
    const [problem] = Errors(CatalogProvider, entry);
    throw invalidCatalog(`${problem?.instancePath} ${problem?.message}`);
  }
  checkServices(entry);
  const plans = entry.services.flatMap((service) => service.plans);
  check(plans.length <= CONFIGURED_PLANS_MAX, `${provider} has too many plans`);
  check(entry.provider === provider, `${provider} offers services as ${entry.provider}`);
  checkSchemas(entry);
  return entry;
}

/**
 * Adds or replaces the entry of a configured provider. Throws the errors of `parseConfiguredEntry`. All apps of a process
 * share these entries, because events are presented without an app.
 */
export function offerConfigured(
  { provider, billedBy, openDashboard }: Pick<ServiceProvider, "provider" | "billedBy" | "openDashboard">,
  value: unknown,
): CatalogProvider {
  const parsed = parseConfiguredEntry(provider, value);
  const entry = billedBy === undefined ? parsed : withBiller(parsed, billedBy);
  configured.set(provider, entry);
  if (openDashboard !== undefined) withDashboard.add(provider);
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
  return withDashboard.has(provider);
}

/** Returns whether the service (`provider/slug`) is in catalog.json, which only a release of Purser changes. */
export function isReleased(service: string): boolean {
  return catalog.providers.some(({ provider }) => service.startsWith(`${provider}/`));
}

/** Returns a provider of any deployment profile or of the configuration, or undefined if its entry is unknown. */
export function findCatalogProvider(name: string): CatalogProvider | undefined {
  return catalog.providers.find(({ provider }) => provider === name) ?? configured.get(name);
}

/**
 * Returns the catalog with only the providers of the app's deployment profile and of its configuration. Requests that
 * link a provider, cap a provider or add a service accept only these providers.
 */
export function catalogOf({
  settings,
  providers,
}: {
  readonly settings: Pick<App["settings"], "profile">;
  readonly providers: ReadonlyMap<string, unknown>;
}): Catalog {
  const entries = [...configured.values()].filter(({ provider }) => providers.has(provider));
  const fixed = CATALOG_BY_PROFILE[settings.profile];
  return entries.length === 0 ? fixed : { ...fixed, providers: [...fixed.providers, ...entries].toSorted(byId) };
}

/** Returns the names of the providers that this server can call and that the profile or the configuration contains. */
export function providerNamesOf({ settings, providers }: Pick<App, "settings" | "providers">): string[] {
  const fixed = CATALOG_BY_PROFILE[settings.profile].providers;
  return [...providers.values()]
    .filter(
      ({ provider: name, readCatalog }) => readCatalog !== undefined || fixed.some(({ provider }) => provider === name),
    )
    .map(({ provider }) => provider)
    .sort();
}

function byId(one: CatalogProvider, other: CatalogProvider): number {
  return one.provider < other.provider ? -1 : 1;
}

/** Parses a catalog file and sorts its providers by id. Throws if the file is invalid or inconsistent. */
export function readCatalog(text: string): Catalog {
  const file: unknown = JSON.parse(text);
  Assert(CatalogFile, file);
  for (const provider of file.providers) checkServices(provider);
  const ids = file.providers.map(({ provider }) => provider);
  check(new Set(ids).size === ids.length, "two providers have the same id");
  compileConfigSchemas(
    file.providers.flatMap(({ services }) => services),
    { allErrors: true },
  );
  return {
    ...file,
    providers: file.providers.toSorted(byId),
  };
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
