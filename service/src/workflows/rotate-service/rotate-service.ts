import type { App } from "../../app.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import {
  type RequestedRotation,
  type RequestRotation,
  requestRotation,
} from "../../modules/projects/index.ts";
import { continueOperation } from "../../operations/continue-operation.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { rotateServiceSaga } from "./saga.ts";

/**
 * Rotates a service's credentials and waits for at most `syncWaitMs`, but not for the end of the grace period. Throws the
 * errors of `requestRotation`.
 */
export async function rotateService(
  app: App,
  command: Omit<RequestRotation, "kind">,
  saveResponse: SaveResponse<RequestedRotation>,
): Promise<RequestedRotation> {
  const kind = rotateServiceSaga;
  const requested = await requestRotation(app, { ...command, kind }, saveResponse);
  const key = { tenantId: command.key.tenantId, operationId: requested.operationId };
  await runOperation(app, kind.type, key);
  // If the grace period of a running rotation has just ended, its workflow has too.
  if (command.order.reason === "compromised") await continueOperation(app, kind.type, key);
  return requested;
}
