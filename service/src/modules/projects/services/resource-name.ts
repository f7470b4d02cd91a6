import type { Service } from "./queries.ts";

/**
 * Returns the resource's name at the provider. It depends only on the service ID, so a retry finds the existing
 * resource.
 */
export function resourceNameOf({ serviceId }: Pick<Service, "serviceId">): string {
  return `svc-${serviceId}`;
}
