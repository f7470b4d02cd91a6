import type { Tx } from "../../../../db/database.ts";
import type { OperationRow } from "../../../../operations/queries.ts";
import { findOfferedPlan } from "../find-offered-plan.ts";
import {
  type ProvisioningContext,
  provisioningContextOf,
} from "../provisioning/provisioning-context.ts";
import { getServiceById } from "../queries.ts";
import { monthlyPriceCents } from "../resolve-plan.ts";
import { getPlanChange, type PlanChangeRow } from "./queries.ts";

/**
 * Data about a service whose plan changes. `plan`, `priceCents` and `payment` are those of the new plan, and `agentId` is
 * the agent that changes it. It is saved in workflow checkpoints, so it contains no secrets.
 */
export interface PlanChange
  extends ProvisioningContext,
    Pick<PlanChangeRow, "previousPlan" | "timing"> {}

export async function loadPlanChange(tx: Tx, operation: OperationRow): Promise<PlanChange> {
  const { operationId } = operation;
  const { plan, previousPlan, agentId, timing, serviceId } = await getPlanChange(tx, operation);
  const service = await getServiceById(tx, { ...operation, serviceId });
  const offer = findOfferedPlan({ ...service, plan });
  const priceCents = offer === undefined ? service.priceCents : monthlyPriceCents(offer.plan);
  const changed = { ...service, plan, priceCents, agentId };
  const context = await provisioningContextOf(tx, operationId, changed);
  // At the turn of the month, the change was already accepted, so no payment method is required anew.
  const payment = timing === "turn" ? null : context.payment;
  return { ...context, payment, previousPlan, timing };
}
