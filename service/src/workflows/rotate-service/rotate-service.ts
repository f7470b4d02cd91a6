import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { lockPolicyRevision } from "../../modules/decisions/queries.ts";
import {
  type RequestedRotation,
  type RequestRotation,
  requestRotation,
} from "../../modules/services/rotation/request-rotation.ts";
import { escalateRotation, failRotation, prepareRotation } from "../../modules/services/rotation/rotate-steps.ts";
import { loadRotationContext, type RotationContext } from "../../modules/services/rotation/rotation.ts";
import { ROTATE_SERVICE } from "../../modules/services/services.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { openVault } from "../../vault/vault.ts";
import { canReadProject, requirePullPermission } from "../pull-env.ts";
import { issueCredentials } from "./issue-credentials.ts";
import { retireCredentials } from "./retire-credentials.ts";

/**
 * Rotates a service's credentials: issues new ones, uses them once, and publishes them. If it fails before the publication,
 * the former credentials remain valid and published. Without a grace period, it then retires the former ones. With one, or
 * if it cannot retire them, `retireDueCredentials` does so later.
 */
export const rotateServiceSaga = defineSaga<RotationContext>({
  type: ROTATE_SERVICE,
  readScope: "projects:read",
  canRead: canReadProject,
  // The first step encrypts a password, and a transaction must not call the key management service.
  prepare: async (app, { tenantId }) => void (await openVault(app, tenantId)),
  load: (tx, _app, operation) => loadRotationContext(tx, operation),
  steps: [
    databaseStep("credential_preparation", async (tx, { app, state }) => {
      const vault = await openVault(app, state.tenantId);
      await prepareRotation(tx, { ...app, vault }, state);
    }),
    // Its last transaction publishes the credentials.
    vendorStep("provider_rotation", issueCredentials, {
      isNeeded: ({ isPublished }) => !isPublished,
    }),
    vendorStep("provider_retirement", retireCredentials, {
      isNeeded: ({ isPublished, retiresFormer }) => isPublished && retiresFormer,
    }),
    // The steps before write the audit entries.
    databaseStep("audit"),
  ],
  // The provider may have ended the former credential, or may still do so.
  isFinal: ({ isPublished }, { mayStillHappen }) => isPublished || mayStillHappen,
  onFailed: (tx, { app, actor, state }, { error: { code } }) => failRotation(tx, app, actor, state, code),
  onEscalated: escalateRotation,
});

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
