import type { Tx } from "../../../../db/database.ts";
import type { Service } from "../queries.ts";
import { getScheduledChange, type PlanChangeRow } from "./queries.ts";

/** Returns the service with its new plan, at the price for which the change was requested. */
export function withChangedPlan(
  service: Service,
  { plan, priceCents, preauthorizationCents, billedBy }: PlanChangeRow,
): Service {
  return { ...service, plan, priceCents, preauthorizationCents, billedBy };
}

/** Returns the service with the plan that it has at a time: the pending one if it has changed by then. */
export async function withPlanAt(tx: Tx, service: Service, at: Date): Promise<Service> {
  const { pendingPlan, pendingPlanAt } = service;
  if (pendingPlan === null || pendingPlanAt === null || pendingPlanAt > at) return service;
  return withChangedPlan(service, await getScheduledChange(tx, service));
}
