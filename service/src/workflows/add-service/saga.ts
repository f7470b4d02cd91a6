import { requireActiveAgent } from "../../modules/agents/index.ts";
import {
  ADD_SERVICE,
  activateService,
  checkPlan,
  failService,
  loadProvisioningContext,
  type ProvisioningContext,
  releaseReservation,
  reserveService,
} from "../../modules/projects/index.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { canReadProject } from "../can-read-project.ts";
import { releaseResource } from "../release-resource.ts";
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
  load: (tx, _app, operation) => loadProvisioningContext(tx, operation),
  steps: [
    databaseStep("kya_gate", async (tx, { app, state: { tenantId, mode, agentId } }) => {
      if (agentId === null) return;
      await requireActiveAgent(tx, { tenantId, mode, agentId }, app.clock.now());
    }),
    databaseStep("policy", (tx, { app, actor, state }) => reserveService(tx, app, actor, state), {
      undo: (tx, { app, state }) => releaseReservation(tx, app, state),
    }),
    databaseStep("catalog_validation", async (_tx, { state }) => checkPlan(state)),
    vendorStep("payment_setup", setUpPayment, { isNeeded: ({ payment }) => payment !== null }),
    vendorStep("provider_provisioning", provision, {
      undo: async ({ app, state }) =>
        state.existingResourceId === null ? releaseResource(app, state) : null,
    }),
    vendorStep("credential_storage", storeCredentials),
    // The "audit" step writes the service's row too, so this step does nothing.
    databaseStep("service_record"),
    databaseStep("audit", (tx, { app, actor, state }) => activateService(tx, app, actor, state)),
  ],
  onFailed: (tx, { app, actor, state }, { error: { code }, undone }) =>
    failService(tx, app, actor, { provisioning: state, code, undone }),
});
