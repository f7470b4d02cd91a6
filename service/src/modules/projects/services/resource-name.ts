import type { Service } from "./queries.ts";

/** The start of each resource's name at its provider. */
export const RESOURCE_NAME_PREFIX = "svc-";

/**
 * Returns the resource's name at the provider. It depends only on the service ID, so a retry finds the existing
 * resource.
 */
export function resourceNameOf({ serviceId }: Pick<Service, "serviceId">): string {
  return `${RESOURCE_NAME_PREFIX}${serviceId}`;
}
