import type { Service } from "./queries.ts";

/**
 * The resource's name at the provider. It depends on the service id only, so that a repeated call finds the resource.
 */
export function resourceNameOf({ serviceId }: Pick<Service, "serviceId">): string {
  return `svc-${serviceId}`;
}
