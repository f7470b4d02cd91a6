import { type CatalogPlan, type CatalogService, findCatalogProvider } from "./catalog.ts";

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
