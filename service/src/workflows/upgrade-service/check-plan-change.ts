import type { Tx } from "../../db/database.ts";
import type { PlanChange } from "../../modules/services/plan-change/plan-change.ts";
import { reservePlanChange } from "../../modules/services/plan-change/reserve-plan-change.ts";
import { checkPlan, checkPlanCostsNoMore } from "../../modules/services/provisioning/check-plan.ts";
import type { REQUIRES_APPROVAL, SagaRun } from "../../operations/saga.ts";
import { checkSpending, checkSpendingAgent } from "../check-spending.ts";

const operation = "service.upgrade";

/**
 * Decides whether the plan can be changed, and reserves the difference. At the turn of the month, everything was decided
 * and reserved before, so only the price is checked. See `checkSpending`.
 */
export async function checkPlanChange(
  tx: Tx,
  run: Pick<SagaRun<PlanChange>, "app" | "actor" | "state">,
): Promise<typeof REQUIRES_APPROVAL | undefined> {
  const { app, actor, state } = run;
  const { service, previousPlan, plan, operationId, timing } = state;
  if (timing === "turn") {
    checkPlanCostsNoMore(state);
    return undefined;
  }
  checkPlan(state);
  await checkSpendingAgent(tx, run, { operation });
  return checkSpending(tx, run, {
    operation,
    subject: { type: "operation", id: operationId },
    title: (projectName) => `Change ${service} from the plan ${previousPlan} to ${plan} in the project ${projectName}`,
    reserve: (options) => reservePlanChange(tx, app, actor, state, options),
  });
}
