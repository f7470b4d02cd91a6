import type { Service } from "./queries.ts";

/** What the resource is called at its provider: the same at every attempt, so that it is found again whatever was lost. */
export function resourceNameOf({ serviceId }: Pick<Service, "serviceId">): string {
  return `svc-${serviceId}`;
}
