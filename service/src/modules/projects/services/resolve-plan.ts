import { Ajv, type ValidateFunction } from "ajv";
import type { App } from "../../../app.ts";
import type { Json } from "../../../foundation/canonical-json.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { formatDecimal, parseDecimal } from "../../../foundation/money.ts";
import { invalidFields } from "../../../foundation/schema-violations.ts";
import {
  type CatalogPlan,
  type CatalogProvider,
  type CatalogService,
  catalogOf,
} from "../catalog.ts";

/** What a caller asks for of the catalog. */
export interface PlanSelection {
  /** `provider/slug`. */
  readonly service: string;
  /** Undefined: the first that the catalog lists. */
  readonly plan: string | undefined;
  readonly region: string | undefined;
  readonly config: Readonly<Record<string, Json>>;
  /** Refuses a plan that costs more. Undefined: whatever it costs. */
  readonly maxMonthlyCostCents: bigint | undefined;
  readonly acceptTermsVersion: string | undefined;
}

export interface ResolvedPlan {
  readonly provider: CatalogProvider;
  readonly service: CatalogService;
  readonly plan: CatalogPlan;
  readonly region: string;
  readonly priceCents: bigint;
}

/** Finds what is wished for in the catalog of the app's profile, or says which field of the wish cannot be had. */
export function resolvePlan(app: Pick<App, "settings">, wish: PlanSelection): ResolvedPlan {
  const provider = catalogOf(app).providers.find(({ services }) =>
    services.some(({ service }) => service === wish.service),
  );
  const service = provider?.services.find(({ service: name }) => name === wish.service);
  if (provider === undefined || service === undefined) {
    throw invalidField(
      "/body/service",
      "unknown",
      "is not in the catalog: see GET /projects/catalog",
    );
  }
  const plan = choosePlan(service, wish.plan);
  const priceCents = monthlyPriceCents(plan);
  checkPrice(plan, priceCents, wish.maxMonthlyCostCents);
  checkTerms(provider, wish.acceptTermsVersion);
  checkConfig(service, wish.config);
  return { provider, service, plan, region: chooseRegion(provider, wish.region), priceCents };
}

/** What a plan costs a month before any use of it. */
export function monthlyPriceCents({ pricing }: CatalogPlan): bigint {
  const cents = pricing.type === "free" ? 0n : parseDecimal(pricing.amount ?? "0", 2);
  if (cents === undefined) throw new Error("a price of the catalog has more decimals than cents");
  return cents;
}

/** What is set aside in the budget when a service is added: the month's price, or what the catalog expects of its use. */
export function reservedCents(plan: CatalogPlan): bigint {
  const cents = parseDecimal(plan.preauthorization_amount ?? "0", 2) ?? 0n;
  const priceCents = monthlyPriceCents(plan);
  return cents > priceCents ? cents : priceCents;
}

function choosePlan({ plans }: CatalogService, wanted: string | undefined): CatalogPlan {
  const plan = wanted === undefined ? plans[0] : plans.find(({ plan }) => plan === wanted);
  if (plan === undefined) {
    const known = plans.map(({ plan }) => plan).join(", ");
    throw invalidField("/body/plan", "unknown", `must be one of ${known}`);
  }
  return plan;
}

function chooseRegion({ regions }: CatalogProvider, wanted: string | undefined): string {
  const region = wanted === undefined ? regions[0] : regions.find((name) => name === wanted);
  if (region === undefined) {
    throw invalidField("/body/region", "unknown", `must be one of ${regions.join(", ")}`);
  }
  return region;
}

function checkPrice({ plan }: CatalogPlan, priceCents: bigint, maxCents: bigint | undefined): void {
  if (maxCents === undefined || priceCents <= maxCents) return;
  const detail = `the plan ${plan} costs ${formatDecimal(priceCents, 2)} USD a month`;
  throw invalidField("/body/max_monthly_cost", "limit_exceeded", detail);
}

function checkTerms({ terms }: CatalogProvider, accepted: string | undefined): void {
  if (accepted === undefined || accepted === terms.version) return;
  const detail = `The terms in force are ${terms.version}: ${terms.url}`;
  throw new AppError("tos_acceptance_required", { detail });
}

const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
const validators = new Map<string, ValidateFunction>();

function checkConfig({ service, config_schema }: CatalogService, config: object): void {
  const validate = validators.get(service) ?? ajv.compile(config_schema);
  validators.set(service, validate);
  if (validate(config)) return;
  const errors = invalidFields("/body/config", validate.errors ?? []);
  throw new AppError("validation_error", { errors });
}
