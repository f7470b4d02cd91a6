import { type CatalogPlan, type CatalogService, catalog } from "../catalog.ts";

/** A service of the catalog and one plan of it. */
export interface OfferedPlan {
  readonly service: CatalogService;
  readonly plan: CatalogPlan;
}

/** What the catalog says of a service, `provider/slug`. Undefined: it has no such service, or no longer. */
export function findCatalogService(name: string): CatalogService | undefined {
  return catalog.providers
    .flatMap(({ services }) => services)
    .find(({ service }) => service === name);
}

/** What the catalog says of a service under a plan. Undefined: it has no such thing, or no longer. */
export function findOfferedPlan(wanted: {
  readonly service: string;
  readonly plan: string;
}): OfferedPlan | undefined {
  const service = findCatalogService(wanted.service);
  const plan = service?.plans.find((candidate) => candidate.plan === wanted.plan);
  return service === undefined || plan === undefined ? undefined : { service, plan };
}
