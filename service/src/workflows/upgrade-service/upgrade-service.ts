import type { App } from "../../app.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAgent } from "../../modules/agents/require-agent.ts";
import { releaseExpiredHolds } from "../../modules/payments/end-waiting-payments.ts";
import {
  type RequestedPlanChange,
  type RequestPlanChange,
  requestPlanChange,
} from "../../modules/services/plan-change/request-plan-change.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { upgradeServiceSaga } from "./saga.ts";

/**
 * Changes the plan of a service: stores the change and its operation, starts the saga, and waits for at most
 * `syncWaitMs`. The operation shows the progress. Throws `agent_not_found` and the errors of `requestPlanChange`.
 */
export async function upgradeService(
  app: App,
  command: RequestPlanChange,
  saveResponse: SaveResponse<RequestedPlanChange>,
): Promise<RequestedPlanChange> {
  const { actor, agentId } = command;
  if (agentId !== null) await requireAgent(app.db, { ...actor, agentId });
  await releaseExpiredHolds(app, actor);
  const kind = upgradeServiceSaga;
  const requested = await requestPlanChange(app, { ...command, kind }, saveResponse);
  const { operationId } = requested;
  if (operationId !== null) {
    await runOperation(app, kind.type, { tenantId: actor.tenantId, operationId });
  }
  return requested;
}
