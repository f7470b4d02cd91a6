import {
  failRotation,
  finishRotation,
  loadRotationContext,
  prepareRotation,
  ROTATE_SERVICE,
  type RotationContext,
  readPreviousValidUntil,
} from "../../modules/projects/index.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { openVault } from "../../vault/open-vault.ts";
import { canReadProject } from "../can-read-project.ts";
import { issueCredentials } from "./issue-credentials.ts";
import { retireCredentials } from "./retire-credentials.ts";

/**
 * Rotates a service's credentials: issues new ones, uses them once, publishes them, waits for the end of the grace period,
 * and retires the former ones. If it fails before the publication, the former credentials remain valid and published.
 * Afterwards, it is not undone: the service stays `rotating` until an operator or another rotation retires the former
 * credentials.
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
    databaseStep("grace_period", async (tx, { app, state }) => {
      const endsAt = await readPreviousValidUntil(tx, state);
      return endsAt !== null && endsAt > app.clock.now() ? endsAt : undefined;
    }),
    vendorStep("provider_retirement", retireCredentials, {
      isNeeded: ({ isPublished }) => isPublished,
    }),
    databaseStep("credential_destruction", (tx, { app, actor, state }) => finishRotation(tx, app, actor, state)),
    // The `credential_destruction` step writes the audit entry.
    databaseStep("audit"),
  ],
  // The provider may have ended the former credential, or may still do so.
  isFinal: ({ isPublished }, { mayStillHappen }) => isPublished || mayStillHappen,
  onFailed: (tx, { app, actor, state }, { error: { code } }) => failRotation(tx, app, actor, state, code),
});
