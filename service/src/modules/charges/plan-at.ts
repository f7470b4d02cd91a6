import type { Tx } from "../../db/database.ts";
import { type ChargedService, getScheduledChange } from "./queries.ts";

/** Returns the service with another plan, at the price for which the change was requested. */
export function withChangedPlan(
  service: ChargedService,
  {
    plan,
    priceCents,
    preauthorizationCents,
    billedBy,
  }: Pick<ChargedService, "plan" | "priceCents" | "preauthorizationCents" | "billedBy">,
): ChargedService {
  return { ...service, plan, priceCents, preauthorizationCents, billedBy };
}

/** Returns the service with the plan that it has at a time: the pending one if it has changed by then. */
export async function withPlanAt(tx: Tx, service: ChargedService, at: Date): Promise<ChargedService> {
  const { pendingPlan, pendingPlanAt } = service;
  if (pendingPlan === null || pendingPlanAt === null || pendingPlanAt > at) return service;
  return withChangedPlan(service, await getScheduledChange(tx, service));
}
