import type { App } from "../../app.ts";
import { listIdsInPlace, type Service } from "./queries.ts";

/** The start of each resource's name at its provider. */
export const RESOURCE_NAME_PREFIX = "svc-";

const IDS_MAX = 1_000;

/**
 * Returns the resource's name at the provider. It depends only on the service ID, so a retry finds the existing
 * resource.
 */
export function resourceNameOf({ serviceId }: Pick<Service, "serviceId">): string {
  return `${RESOURCE_NAME_PREFIX}${serviceId}`;
}

/** Returns the resources whose names do not belong to a service that may have a resource. */
export async function resourcesWithoutService<Resource extends { readonly name: string }>(
  app: Pick<App, "db">,
  resources: readonly Resource[],
): Promise<Resource[]> {
  const serviceIdOf = ({ name }: Resource) => name.slice(RESOURCE_NAME_PREFIX.length);
  const found: Resource[] = [];
  for (let start = 0; start < resources.length; start += IDS_MAX) {
    const page = resources.slice(start, start + IDS_MAX);
    const inPlace = new Set(await listIdsInPlace(app.db, page.map(serviceIdOf)));
    found.push(...page.filter((resource) => !inPlace.has(serviceIdOf(resource))));
  }
  return found;
}
