import { type CatalogPlan, type CatalogService, catalog } from "../catalog.ts";

/** A service of the catalog and one of its plans. */
export interface OfferedPlan {
  readonly service: CatalogService;
  readonly plan: CatalogPlan;
}

/**
 * Returns the catalog entry of a service, named `provider/slug`. Undefined if the catalog does not have it (any more).
 */
export function findCatalogService(name: string): CatalogService | undefined {
  return catalog.providers
    .flatMap(({ services }) => services)
    .find(({ service }) => service === name);
}

/** Returns the catalog entries of a service and a plan. Undefined if the catalog does not have them (any more). */
export function findOfferedPlan(selected: {
  readonly service: string;
  readonly plan: string;
}): OfferedPlan | undefined {
  const service = findCatalogService(selected.service);
  const plan = service?.plans.find((candidate) => candidate.plan === selected.plan);
  return service === undefined || plan === undefined ? undefined : { service, plan };
}
