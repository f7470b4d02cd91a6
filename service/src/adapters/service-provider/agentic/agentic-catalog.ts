import { Check } from "typebox/value";
import { isFastSchema } from "../../../foundation/wire/config-schema.ts";
import { type AgenticService, type ServiceList, type ServicePage, Services } from "./agentic-wire.ts";

/** What the protocol does not say about a provider, from the configuration. */
export interface AgenticCatalogFacts {
  readonly provider: string;
  readonly display_name: string;
  readonly billed_by: "vendor" | "purser";
  readonly regions?: readonly string[];
  /** The terms, if the provider's list of services does not contain them. */
  readonly terms?: { readonly version: string; readonly url: string };
  /** Monthly prices in US dollars by service id, for prices that the provider describes in words only. */
  readonly prices?: Readonly<Record<string, string>>;
}

/** A deployable with the services that set its price: its plans, or itself and the deployables it can change to. */
interface Offer {
  readonly deployable: AgenticService;
  readonly plans: readonly AgenticService[];
  /** Whether the plans are services of their own. */
  readonly hasPlanServices: boolean;
}

export const DEFAULT_REGION = "global";
/** A price such as `$20/month`, `$ 9.50 per mo`. */
const MONTHLY_PRICE = /^\$ ?(\d{1,6}(?:\.\d{1,2})?) ?(?:\/ ?|per )(?:mo|month)$/i;

const SERVICES_MAX = 200;
const PAGES_MAX = 20;
/** The characters of all pages. A longer list would be checked and compiled for too long while no request is answered. */
const LENGTH_MAX = 1_048_576;

/** The limits of a list of services, for an error message. */
export const SERVICE_LIST_LIMITS = `${SERVICES_MAX} services, ${PAGES_MAX} pages and 1 MiB`;

/** Reads a provider's list of services page by page. Returns undefined if it has too many services or pages, or is too long. */
export async function readServiceList(
  readPage: (query: { readonly cursor: string | undefined }) => Promise<ServicePage>,
): Promise<ServiceList | undefined> {
  let list: ServiceList = { data: [] };
  let cursor: string | undefined;
  let length = 0;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { data, next_cursor, ...terms } = await readPage({ cursor });
    list = { ...terms, ...list, data: [...list.data, ...data] };
    length += JSON.stringify(data).length;
    if (list.data.length > SERVICES_MAX || length > LENGTH_MAX) return undefined;
    if (!next_cursor) return list;
    cursor = next_cursor;
  }
  return undefined;
}

export function isServicePage(answer: unknown): answer is ServicePage {
  return Check(Services, answer);
}

/** Returns the provider's entry for Purser's catalog. Services without a monthly price that can be read are left out. */
export function catalogEntryOf(facts: AgenticCatalogFacts, answer: ServiceList, health: "ok" | "degraded"): object {
  const { provider } = facts;
  const services = offersOf(answer.data).flatMap((offer) => {
    const plans = offer.plans.flatMap((plan) => planOf(facts, plan, offer) ?? []);
    const [first] = plans;
    const schema = configSchemaOf(offer.deployable);
    if (first === undefined || schema === undefined) return [];
    const names = new Set(plans.map(({ plan }) => plan));
    return {
      service: `${provider}/${slugOf(offer.deployable)}`,
      kind: "deployable",
      description: offer.deployable.description ?? offer.deployable.id,
      async: false,
      credential_type: "single",
      deprovision_effect: "destroy",
      config_schema: schema,
      env_vars: [],
      requires_plan: [],
      plans: plans.map((plan) => ({
        ...plan,
        allowed_updates: plan.allowed_updates.filter((name) => names.has(name)),
      })),
    };
  });
  return {
    provider,
    display_name: facts.display_name,
    categories: categoriesOf(answer.data),
    auth: "instant",
    protocol: "agentic-0.1d",
    terms: answer.terms ?? facts.terms,
    regions: [...(facts.regions ?? [DEFAULT_REGION])],
    health,
    services,
  };
}

/** Returns the offer whose deployable has this slug, with the chosen plan. */
export function findOffer(
  services: readonly AgenticService[],
  { service, plan: name }: { readonly service: string; readonly plan: string },
): (Offer & { readonly plan: AgenticService }) | undefined {
  const offer = offersOf(services).find(({ deployable }) => slugOf(deployable) === service.split("/")[1]);
  const plan = offer?.plans.find(({ id }) => id === name);
  return offer === undefined || plan === undefined ? undefined : { ...offer, plan };
}

function offersOf(services: readonly AgenticService[]): Offer[] {
  const deployables = services.filter(({ kind }) => kind !== "plan");
  const byId = new Map(services.map((service) => [service.id, service]));
  // A deployable that another one can change to is a plan of that one, not a service of its own.
  const taken = new Set<string>();
  return deployables.flatMap((deployable) => {
    if (taken.has(deployable.id)) return [];
    if (deployable.pricing.type === "component") {
      const ids = (deployable.pricing.component?.options ?? []).flatMap(
        ({ parent_service_ids = [] }) => parent_service_ids,
      );
      const plans = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
      return { deployable, plans, hasPlanServices: true };
    }
    const others = updatesOf(deployable).flatMap((id) => deployables.find((other) => other.id === id) ?? []);
    const plans = [...new Set([deployable, ...others])];
    for (const { id } of plans) taken.add(id);
    return { deployable, plans, hasPlanServices: false };
  });
}

function planOf(facts: AgenticCatalogFacts, plan: AgenticService, { deployable }: Offer) {
  const amount = monthlyPriceOf(facts, plan, deployable);
  if (amount === undefined) return undefined;
  const isFree = Number(amount) === 0;
  return {
    plan: plan.id,
    pricing: isFree ? { type: "free" as const } : { type: "paid" as const, amount, currency: "usd", interval: "month" },
    payment_method_required: !isFree,
    ...(isFree ? {} : { preauthorization_amount: amount }),
    billed_by: facts.billed_by,
    proration: "none",
    allowed_updates: updatesOf(plan),
  };
}

/** Returns the plan's price, plus the price of the deployable with this plan. Undefined if one of them cannot be read. */
function monthlyPriceOf(
  { prices = {} }: AgenticCatalogFacts,
  plan: AgenticService,
  deployable: AgenticService,
): string | undefined {
  if (Object.hasOwn(prices, plan.id)) return prices[plan.id];
  const option = deployable.pricing.component?.options.find(({ parent_service_ids = [] }) =>
    parent_service_ids.includes(plan.id),
  );
  const total = planCentsOf(plan) + optionCentsOf(option, plan);
  return Number.isNaN(total) ? undefined : (total / 100).toFixed(2);
}

function planCentsOf({ pricing }: AgenticService): number {
  switch (pricing.type) {
    case "free":
      return 0;
    case "paid":
      return centsOf(pricing.paid);
    case "component":
      return Number.NaN;
  }
}

/** The price of a paid plan can contain that of the deployable. Beside other plans, a paid deployable must have a price. */
function optionCentsOf(
  option: { readonly type?: string; readonly paid?: { readonly freeform?: string } } | undefined,
  { pricing }: AgenticService,
): number {
  if (option?.paid !== undefined) return centsOf(option.paid);
  return option?.type === "paid" && pricing.type !== "paid" ? Number.NaN : 0;
}

/** Returns the price in cents, or NaN if it is not a fixed monthly price in US dollars. */
function centsOf(paid: { readonly freeform?: string } | undefined): number {
  const [, amount = "unknown"] = MONTHLY_PRICE.exec(paid?.freeform?.trim() ?? "") ?? [];
  return Math.round(Number(amount) * 100);
}

function updatesOf({ id, allowed_updates = [] }: AgenticService): string[] {
  const ids = allowed_updates.map((update) => (typeof update === "string" ? update : update.service));
  return [...new Set(ids)].filter((other) => other !== id);
}

/** Returns undefined for a schema that can be slow. */
function configSchemaOf({ configuration_schema: schema }: AgenticService): object | undefined {
  if (schema === undefined) return { type: "object", properties: {}, additionalProperties: false };
  return schema["type"] === "object" && isFastSchema(schema) ? schema : undefined;
}

function categoriesOf(services: readonly AgenticService[]): string[] {
  const names = services.flatMap(({ categories = [] }) => categories);
  return [...new Set(names)].filter((name) => /^[a-z][a-z0-9_-]{0,63}$/.test(name)).sort();
}

function slugOf({ id }: AgenticService): string {
  return id.replaceAll("_", "-");
}
