import type { App } from "../../app.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAgent } from "../../modules/agents/require-agent.ts";
import { releaseExpiredHolds } from "../../modules/payments/end-waiting-payments.ts";
import { type RequestedService, type RequestService, requestService } from "../../modules/services/request-service.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { addServiceSaga } from "./saga.ts";

/**
 * Adds a service to a project: stores the service and its operation, starts the saga, and waits for at most
 * `syncWaitMs`. The operation shows the progress. Throws `agent_not_found` and the errors of `requestService`.
 */
export async function addService(
  app: App,
  command: RequestService,
  saveResponse: SaveResponse<RequestedService>,
): Promise<RequestedService> {
  const { actor, agentId } = command;
  if (agentId !== null) await requireAgent(app.db, { ...actor, agentId });
  await releaseExpiredHolds(app, actor);
  const kind = addServiceSaga;
  const requested = await requestService(app, { ...command, kind }, saveResponse);
  const { operationId } = requested;
  await runOperation(app, kind.type, { tenantId: actor.tenantId, operationId });
  return requested;
}
