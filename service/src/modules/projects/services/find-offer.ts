import { type CatalogPlan, type CatalogService, catalog } from "../catalog.ts";

/** A service of the catalog and one plan of it. */
export interface Offer {
  readonly service: CatalogService;
  readonly plan: CatalogPlan;
}

/** What the catalog says of a service (`provider/slug`) under a plan. Undefined: it has no such thing, or no longer. */
export function findOffer({
  service: name,
  plan: planName,
}: {
  readonly service: string;
  readonly plan: string;
}): Offer | undefined {
  const service = catalog.providers
    .flatMap(({ services }) => services)
    .find((candidate) => candidate.service === name);
  const plan = service?.plans.find((candidate) => candidate.plan === planName);
  return service === undefined || plan === undefined ? undefined : { service, plan };
}
