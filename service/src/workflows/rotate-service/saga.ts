import { ROTATE_SERVICE } from "../../modules/services/operation-types.ts";
import { escalateRotation, failRotation, prepareRotation } from "../../modules/services/rotation/rotate-steps.ts";
import { loadRotationContext, type RotationContext } from "../../modules/services/rotation/rotation-context.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { openVault } from "../../vault/open-vault.ts";
import { canReadProject } from "../can-read-project.ts";
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
