import type { App } from "../../app.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { formatDecimal } from "../../foundation/money.ts";
import { invalidFields, mustBeOneOf } from "../../foundation/schema-violations.ts";
import { countValues } from "../../foundation/wire/config-schema.ts";
import { type CatalogPlan, type CatalogProvider, type CatalogService, catalogOf } from "./catalog.ts";
import { configValidatorOf } from "./catalog-config.ts";
import { catalogPriceOf, type PlanPrice } from "./plan-price.ts";

/** Bounds the time of the validation against a provider's schema. */
const CONFIG_VALUES_MAX = 1_000;

/** The request fields that are validated against the catalog. */
export interface PlanSelection {
  /** The catalog ID: `provider/slug`. */
  readonly service: string;
  /** Defaults to the service's first plan. */
  readonly plan: string | undefined;
  /** Defaults to the provider's first region. */
  readonly region: string | undefined;
  readonly config: Readonly<Record<string, Json>>;
  /** The request is rejected if the plan's monthly price is higher than this. Undefined if there is no limit. */
  readonly maxMonthlyCostCents: bigint | undefined;
  readonly acceptTermsVersion: string | undefined;
}

export interface ResolvedPlan {
  readonly provider: CatalogProvider;
  readonly service: CatalogService;
  readonly plan: CatalogPlan;
  readonly region: string;
  readonly price: PlanPrice;
}

/**
 * Finds the selected plan in the catalog. Throws `validation_error` for an invalid field, and `tos_acceptance_required`
 * if a different version of the terms was accepted.
 */
export function resolvePlan(app: Pick<App, "providers">, selection: PlanSelection): ResolvedPlan {
  const provider = catalogOf(app).find(({ services }) => services.some(({ service }) => service === selection.service));
  const service = provider?.services.find(({ service: name }) => name === selection.service);
  if (provider === undefined || service === undefined) {
    throw invalidField("/body/service", "unknown", "is not in the catalog: see GET /projects/catalog");
  }
  const plan = choosePlan(service, selection.plan);
  const price = catalogPriceOf(plan);
  checkPrice(plan, price, selection.maxMonthlyCostCents);
  checkTerms(provider, selection.acceptTermsVersion);
  checkConfig(service, selection.config);
  return { provider, service, plan, region: chooseRegion(provider, selection.region), price };
}

function choosePlan({ plans }: CatalogService, requested: string | undefined): CatalogPlan {
  const plan = requested === undefined ? plans[0] : plans.find(({ plan }) => plan === requested);
  if (plan === undefined) {
    const names = plans.map(({ plan }) => plan);
    throw invalidField("/body/plan", "unknown", mustBeOneOf(names));
  }
  return plan;
}

function chooseRegion({ regions }: CatalogProvider, requested: string | undefined): string {
  const region = requested === undefined ? regions[0] : regions.find((name) => name === requested);
  if (region === undefined) {
    throw invalidField("/body/region", "unknown", mustBeOneOf(regions));
  }
  return region;
}

function checkPrice({ plan }: CatalogPlan, { priceCents }: PlanPrice, maxCents: bigint | undefined): void {
  if (maxCents === undefined || priceCents <= maxCents) return;
  const detail = `is lower than the price of the plan ${plan}: ${formatDecimal(priceCents, 2)} USD per month`;
  throw invalidField("/body/max_monthly_cost", "limit_exceeded", detail);
}

function checkTerms({ terms }: CatalogProvider, accepted: string | undefined): void {
  if (accepted === undefined || accepted === terms.version) return;
  const detail = `The current version of the provider's terms is ${terms.version}. Read the terms at ${terms.url}, then send this version as accept_terms_version.`;
  throw new AppError("tos_acceptance_required", { detail });
}

function checkConfig(service: CatalogService, config: object): void {
  if (countValues(config) > CONFIG_VALUES_MAX) {
    const detail = `contains more than ${CONFIG_VALUES_MAX} values`;
    throw invalidField("/body/config", "too_many_values", detail);
  }
  const validate = configValidatorOf(service);
  if (validate(config)) return;
  const errors = invalidFields("/body/config", validate.errors ?? []);
  throw new AppError("validation_error", { errors });
}
