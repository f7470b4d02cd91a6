import { ADD_SERVICE } from "../../modules/services/operation-types.ts";
import { activateService, failService } from "../../modules/services/provisioning/add-steps.ts";
import { checkPlan } from "../../modules/services/provisioning/check-plan.ts";
import {
  loadProvisioningContext,
  type ProvisioningContext,
} from "../../modules/services/provisioning/provisioning-context.ts";
import { releaseReservation, settleFreeService } from "../../modules/services/provisioning/reserve-service.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { openVault } from "../../vault/open-vault.ts";
import { canReadProject } from "../can-read-project.ts";
import { releaseResource } from "../release-service.ts";
import { checkAgent, checkPolicy } from "./check-policy.ts";
import { provision } from "./provision.ts";
import { setUpPayment } from "./set-up-payment.ts";
import { storeCredentials } from "./store-credentials.ts";

/**
 * Adds a service in eight steps (docs/api.md, section 13.1). If the saga succeeds, the service is active. If the saga
 * is undone, no vendor resource, budget reservation or stored credentials remain. If a vendor resource cannot be
 * deleted, the operation becomes `needs_operator`.
 */
export const addServiceSaga = defineSaga<ProvisioningContext>({
  type: ADD_SERVICE,
  readScope: "projects:read",
  canRead: canReadProject,
  // The policy step encrypts an email, and a transaction must not call the key management service.
  prepare: async (app, { tenantId }) => void (await openVault(app, tenantId)),
  load: (tx, _app, operation) => loadProvisioningContext(tx, operation),
  steps: [
    databaseStep("kya_gate", checkAgent),
    databaseStep("policy", checkPolicy, {
      undo: (tx, { app, state }) => releaseReservation(tx, app, state),
    }),
    databaseStep("catalog_validation", async (_tx, { state }) => checkPlan(state)),
    vendorStep("payment_setup", setUpPayment, { isNeeded: ({ payment }) => payment !== null }),
    vendorStep("provider_provisioning", provision, {
      undo: async ({ app, state }) => (state.existingResourceId === null ? releaseResource(app, state) : null),
    }),
    vendorStep("credential_storage", storeCredentials),
    // The "audit" step writes the service's row.
    databaseStep("service_record", async (tx, { app, state }) => {
      await settleFreeService(tx, app, state, "commit");
    }),
    databaseStep("audit", (tx, { app, actor, state }) => activateService(tx, app, actor, state)),
  ],
  onFailed: (tx, { app, actor, state }, { error: { code }, undone }) =>
    failService(tx, app, actor, { provisioning: state, code, undone }),
});
