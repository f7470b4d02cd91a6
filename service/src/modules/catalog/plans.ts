import type { App } from "../../app.ts";
import type { Row } from "../../db/schema.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { formatDecimal, parseDecimal } from "../../foundation/money.ts";
import { invalidFields, mustBeOneOf } from "../../foundation/schema-violations.ts";
import type { Biller } from "../../foundation/vocabulary.ts";
import { countValues } from "../../foundation/wire/config-schema.ts";
import {
  type CatalogPlan,
  type CatalogProvider,
  type CatalogService,
  catalogOf,
  findCatalogProvider,
  isReleased,
} from "./catalog.ts";
import { configValidatorOf } from "./catalog-config.ts";

/** A catalog service and one of its plans. */
export interface OfferedPlan {
  readonly service: CatalogService;
  readonly plan: CatalogPlan;
}

/**
 * Returns the catalog entry for a service (`provider/slug`). Undefined if the current catalog does not contain the
 * service.
 */
export function findCatalogService(name: string): CatalogService | undefined {
  const [provider = ""] = name.split("/");
  return findCatalogProvider(provider)?.services.find(({ service }) => service === name);
}

/**
 * Returns the catalog entries for a service and a plan. Undefined if the current catalog does not contain the service
 * or the plan.
 */
export function findOfferedPlan(selected: {
  readonly service: string;
  readonly plan: string;
}): OfferedPlan | undefined {
  const service = findCatalogService(selected.service);
  const plan = service?.plans.find((candidate) => candidate.plan === selected.plan);
  return service === undefined || plan === undefined ? undefined : { service, plan };
}

/** What a plan costs each month, and who bills it. */
export interface PlanPrice {
  /** The fixed price, without metered use. */
  readonly priceCents: bigint;
  /** The expected cost of metered use. Zero unless it is higher than the price. */
  readonly preauthorizationCents: bigint;
  readonly billedBy: Biller;
}

/** A service with its plan, and the price that was agreed when it got the plan. */
export type PricedService = Pick<
  Row<"services">,
  "service" | "plan" | "priceCents" | "preauthorizationCents" | "billedBy"
>;

/** A plan and the price that was agreed for it. The amounts are strings in checkpoints, because JSON has no bigint. */
export interface AgreedPlan extends Omit<PricedService, "priceCents" | "preauthorizationCents"> {
  readonly priceCents: bigint | string;
  readonly preauthorizationCents: bigint | string;
}

/** Returns the price that was agreed. */
export function agreedPriceOf({ priceCents, preauthorizationCents, billedBy }: AgreedPlan): PlanPrice {
  return { priceCents: BigInt(priceCents), preauthorizationCents: BigInt(preauthorizationCents), billedBy };
}

/** Returns the price that the catalog shows for a plan. */
export function catalogPriceOf(plan: CatalogPlan): PlanPrice {
  const { pricing, preauthorization_amount: estimate = "0", billed_by: billedBy } = plan;
  const priceCents = pricing.type === "free" ? 0n : parseDecimal(pricing.amount ?? "0", 2);
  if (priceCents === undefined) throw new Error("a catalog price has more than two decimals");
  const estimateCents = parseDecimal(estimate, 2) ?? 0n;
  const preauthorizationCents = estimateCents > priceCents ? estimateCents : 0n;
  return { priceCents, preauthorizationCents, billedBy };
}

/**
 * Returns what a service costs: the price that was agreed when it got its plan, because a provider can change its catalog
 * at any time. If the vendor bills a plan whose entry is part of Purser, the price in this release, because the vendor charges that.
 */
export function priceOf(service: PricedService): PlanPrice {
  const agreed = agreedPriceOf(service);
  if (agreed.billedBy === "purser" || !isReleased(service.service)) return agreed;
  const offer = findOfferedPlan(service);
  return offer === undefined ? agreed : { ...catalogPriceOf(offer.plan), billedBy: "vendor" };
}

/** Returns what is reserved each month: the fixed price, or the expected cost of metered use if that is higher. */
export function reservedCents({ priceCents, preauthorizationCents }: Omit<PlanPrice, "billedBy">): bigint {
  return preauthorizationCents > priceCents ? preauthorizationCents : priceCents;
}

/** Returns the service with another plan, at the catalog's price. If the catalog does not offer it, at the service's. */
export function withPlan<Priced extends PricedService>(service: Priced, plan: string): Priced {
  const offer = findOfferedPlan({ ...service, plan });
  return { ...service, plan, ...(offer && catalogPriceOf(offer.plan)) };
}

/** Returns the monthly cost of the service and that of a new one, if the provider has changed the price of the plan. */
export function findPriceChange(
  service: PricedService,
): { readonly agreedCents: bigint; readonly currentCents: bigint } | undefined {
  const offer = findOfferedPlan(service);
  if (offer === undefined) return undefined;
  const agreedCents = reservedCents(priceOf(service));
  const currentCents = reservedCents(catalogPriceOf(offer.plan));
  return agreedCents === currentCents ? undefined : { agreedCents, currentCents };
}

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
