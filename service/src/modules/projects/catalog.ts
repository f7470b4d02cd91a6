import { readFileSync } from "node:fs";
import { type Static, Type } from "typebox";
import { Assert } from "typebox/value";
import type { App } from "../../app.ts";
import { DECIMAL_PATTERN } from "../../foundation/money.ts";
import { PROFILES } from "../../foundation/profile.ts";
import { recordOf } from "../../foundation/record-of.ts";
import { hasVendor } from "../../foundation/vendors/index.ts";
import { isReservedName, VARIABLE_NAME_PATTERN } from "./variables/variable-names.ts";

const closed = { additionalProperties: false } as const;

const Amount = Type.String({ pattern: DECIMAL_PATTERN });
const Word = Type.String({ pattern: "^[a-z][a-z0-9_-]{0,63}$" });
const Url = Type.String({ pattern: "^https://" });

const CatalogPlan = Type.Object(
  {
    plan: Word,
    pricing: Type.Object(
      {
        type: Type.Enum(["free", "paid", "component", "usage"]),
        amount: Type.Optional(Amount),
        currency: Type.Optional(Type.Enum(["usd"])),
        interval: Type.Optional(Type.Enum(["month", "year"])),
        usage: Type.Optional(Type.Array(Type.Object({ metric: Word, unit_price: Amount }, closed))),
      },
      closed,
    ),
    limits: Type.Optional(Type.Record(Type.String(), Type.Number())),
    payment_method_required: Type.Boolean(),
    preauthorization_amount: Type.Optional(Amount),
    allowed_updates: Type.Array(Word),
  },
  { ...closed, $id: "CatalogPlan" },
);

const CatalogService = Type.Object(
  {
    service: Type.String({ pattern: "^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$" }),
    kind: Type.Enum(["plan", "deployable", "addon"]),
    description: Type.String(),
    async: Type.Boolean(),
    credential_type: Type.Enum(["single", "multiple"]),
    deprovision_effect: Type.Enum(["destroy", "detach"]),
    config_schema: Type.Record(Type.String(), Type.Unknown()),
    env_vars: Type.Array(
      Type.Object(
        // Short enough to take a prefix.
        {
          name: Type.String({ pattern: VARIABLE_NAME_PATTERN, maxLength: 50 }),
          sensitive: Type.Boolean(),
        },
        closed,
      ),
    ),
    requires_plan: Type.Array(Type.String()),
    plans: Type.Array(CatalogPlan, { minItems: 1 }),
    llm_context_url: Type.Optional(Url),
    docs_url: Type.Optional(Url),
  },
  { ...closed, $id: "CatalogService" },
);

export type CatalogPlan = Static<typeof CatalogPlan>;
export type CatalogService = Static<typeof CatalogService>;

/** A provider and what can be added of it (contract, section 3, "Catalog"). The file's schema and the wire's are the same. */
export const CatalogProvider = Type.Object(
  {
    provider: Word,
    display_name: Type.String(),
    categories: Type.Array(Word),
    auth: Type.Enum(["oauth", "api_token", "instant"]),
    protocol: Type.String(),
    terms: Type.Object({ version: Type.String(), url: Url }, closed),
    regions: Type.Array(Type.String(), { minItems: 1 }),
    health: Type.Enum(["ok", "degraded", "down"]),
    services: Type.Array(CatalogService, { minItems: 1 }),
  },
  { ...closed, $id: "CatalogProvider" },
);
export type CatalogProvider = Static<typeof CatalogProvider>;

const CatalogFile = Type.Object(
  { catalog_version: Type.String(), providers: Type.Array(CatalogProvider) },
  closed,
);
export type Catalog = Static<typeof CatalogFile>;

/**
 * What this build can provision, by provider, whatever the profile: for services that are there already. Read and checked as
 * the process starts, which a wrong file stops.
 */
export const catalog: Catalog = readCatalog(
  readFileSync(new URL("./catalog.json", import.meta.url), "utf8"),
);

const OFFERED = recordOf(PROFILES, (profile) => ({
  ...catalog,
  providers: catalog.providers.filter(({ provider }) => hasVendor(profile, provider)),
}));

/** What can be linked, capped and added in the profile that the app runs in. */
export function catalogOf({
  settings,
}: {
  readonly settings: Pick<App["settings"], "profile">;
}): Catalog {
  return OFFERED[settings.profile];
}

/** Reads a catalog file. Throws where it has not the shape, or says two things that cannot both be. */
export function readCatalog(text: string): Catalog {
  const file: unknown = JSON.parse(text);
  Assert(CatalogFile, file);
  for (const provider of file.providers) checkServices(provider);
  const ids = file.providers.map(({ provider }) => provider);
  check(new Set(ids).size === ids.length, "two providers have one id");
  return {
    ...file,
    providers: file.providers.toSorted((a, b) => (a.provider < b.provider ? -1 : 1)),
  };
}

function checkServices({ provider, services }: CatalogProvider): void {
  for (const { service, env_vars, plans } of services) {
    const names = plans.map(({ plan }) => plan);
    const updates = plans.flatMap(({ allowed_updates }) => allowed_updates);
    check(service.startsWith(`${provider}/`), `${service} is not of ${provider}`);
    check(!env_vars.some(({ name }) => isReservedName(name)), `${service} sets a reserved name`);
    check(new Set(names).size === names.length, `${service} has two plans of one name`);
    check(
      updates.every((plan) => names.includes(plan)),
      `${service} allows an update to a plan that it has not`,
    );
  }
}

function check(holds: boolean, broken: string): void {
  if (!holds) throw new Error(`The catalog is wrong: ${broken}.`);
}
