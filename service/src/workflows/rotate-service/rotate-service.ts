import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { lockPolicyRevision } from "../../modules/decisions/queries.ts";
import {
  type RequestedRotation,
  type RequestRotation,
  requestRotation,
} from "../../modules/services/rotation/request-rotation.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { requirePullPermission } from "../pull-env.ts";
import { rotateServiceSaga } from "./saga.ts";

export interface RotateService extends Omit<RequestRotation, "kind" | "beforeLocks" | "authorize"> {
  /** The agent that acts, in lowercase. Null if the developer does. */
  readonly agentId: string | null;
}

/**
 * Rotates a service's credentials and waits for at most `syncWaitMs`, but not for the end of the grace period. Throws
 * the errors of `requestRotation`, and those of `requirePullPermission`: rotating replaces what env bundles contain.
 */
export async function rotateService(
  app: App,
  { agentId, ...command }: RotateService,
  saveResponse: SaveResponse<RequestedRotation>,
): Promise<RequestedRotation> {
  const { actor, key: projectKey } = command;
  const kind = rotateServiceSaga;
  const beforeLocks = async (tx: Tx) => {
    if (agentId !== null) await lockPolicyRevision(tx, actor);
  };
  const authorize = (tx: Tx) => requirePullPermission(tx, app, { actor, agentId }, projectKey.projectId);
  const requested = await requestRotation(app, { ...command, kind, beforeLocks, authorize }, saveResponse);
  const key = { tenantId: projectKey.tenantId, operationId: requested.operationId };
  await runOperation(app, kind.type, key);
  return requested;
}
