import type { Tx } from "../../db/database.ts";
import type { ProvisioningContext } from "../../modules/services/provisioning/provisioning-context.ts";
import { reserveService } from "../../modules/services/provisioning/reserve-service.ts";
import type { REQUIRES_APPROVAL, SagaRun } from "../../operations/saga.ts";
import { checkSpending, checkSpendingAgent } from "../check-spending.ts";

type Run = Pick<SagaRun<ProvisioningContext>, "app" | "actor" | "state">;

const operation = "service.add";

/** Throws the errors of `checkSpendingAgent` if the agent must not add the service. */
export function checkAgent(tx: Tx, run: Run): Promise<void> {
  return checkSpendingAgent(tx, run, { operation });
}

/** Decides whether the service can be added, and reserves its cost. See `checkSpending`. */
export function checkPolicy(tx: Tx, run: Run): Promise<typeof REQUIRES_APPROVAL | undefined> {
  const { app, actor, state } = run;
  const { service, plan, serviceId } = state;
  return checkSpending(tx, run, {
    operation,
    subject: { type: "service", id: serviceId },
    title: (projectName) => `Add ${service} (plan ${plan}) to the project ${projectName}`,
    reserve: (options) => reserveService(tx, app, actor, state, options),
  });
}
