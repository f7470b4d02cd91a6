import type { Tx } from "../../../db/database.ts";
import type { OperationRow } from "../../../operations/queries.ts";
import { findMeteredPlan, monthlyCostCents } from "../../charges/charge-amount.ts";
import { withChangedPlan } from "../../charges/open-months.ts";
import { type ProvisioningContext, provisioningContextOf } from "../provisioning/provisioning-context.ts";
import { serviceRows } from "../queries.ts";
import { type PlanChangeRow, planChangeRows } from "./queries.ts";

type Priced = Parameters<typeof monthlyCostCents>[0];

/**
 * Data about a service whose plan changes. `plan`, its price and `payment` are those of the new plan, and `agentId` is the
 * agent that changes it. It is saved in workflow checkpoints, so it contains no secrets.
 */
export interface PlanChange extends ProvisioningContext, Pick<PlanChangeRow, "previousPlan" | "timing"> {}

export async function loadPlanChange(tx: Tx, operation: OperationRow): Promise<PlanChange> {
  const { operationId } = operation;
  const change = await planChangeRows.get(tx, operation);
  const { previousPlan, agentId, timing, serviceId } = change;
  const service = await serviceRows.get(tx, { ...operation, serviceId });
  const changed = { ...withChangedPlan(service, change), agentId };
  const context = await provisioningContextOf(tx, operationId, changed);
  const isNew = timing !== "turn" && costsMore(service, changed);
  // No payment method is required anew for what was already accepted, or costs no more than before.
  const payment = isNew ? context.payment : null;
  return { ...context, payment, previousPlan, timing };
}

/** Returns whether the new plan costs more per month, or may do so because its use is metered. */
function costsMore(service: Priced, changed: Priced): boolean {
  return findMeteredPlan(changed) !== undefined || monthlyCostCents(changed) > monthlyCostCents(service);
}
