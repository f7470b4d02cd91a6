import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAnyActiveAgent } from "../../modules/agents/index.ts";
import {
  type RequestedRotation,
  type RequestRotation,
  requestRotation,
} from "../../modules/projects/index.ts";
import { continueOperation } from "../../operations/continue-operation.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { cancelWaitingPlanChanges } from "../cancel-waiting-services.ts";
import { rotateServiceSaga } from "./saga.ts";

export interface RotateService extends Omit<RequestRotation, "kind" | "endWaiting"> {
  /** The agents that the API key is bound to. */
  readonly agentIds: readonly string[];
}

/**
 * Rotates a service's credentials and waits for at most `syncWaitMs`, but not for the end of the grace period. Throws
 * `agent_suspended` if the key is bound to agents of which none is active, and the errors of `requestRotation`.
 */
export async function rotateService(
  app: App,
  { agentIds, ...command }: RotateService,
  saveResponse: SaveResponse<RequestedRotation>,
): Promise<RequestedRotation> {
  const { actor, serviceId } = command;
  await requireAnyActiveAgent(app.db, { ...actor, agentIds }, app.clock.now());
  const kind = rotateServiceSaga;
  const endWaiting = (tx: Tx) =>
    cancelWaitingPlanChanges(tx, app, actor, { ...command.key, serviceId });
  const requested = await requestRotation(app, { ...command, kind, endWaiting }, saveResponse);
  const key = { tenantId: command.key.tenantId, operationId: requested.operationId };
  await runOperation(app, kind.type, key);
  // If the grace period of a running rotation has just ended, its workflow has too.
  if (command.order.reason === "compromised") await continueOperation(app, kind.type, key);
  return requested;
}
