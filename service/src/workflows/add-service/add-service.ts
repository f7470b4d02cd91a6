import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { requireAgent } from "../../modules/agents/agents.ts";
import { releaseExpiredHolds } from "../../modules/payments/end-waiting-payments.ts";
import { activateService, failService } from "../../modules/services/provisioning/add-steps.ts";
import {
  checkPlan,
  loadProvisioningContext,
  type ProvisioningContext,
} from "../../modules/services/provisioning/provisioning-context.ts";
import {
  releaseReservation,
  reserveService,
  settleFreeService,
} from "../../modules/services/provisioning/reserve-service.ts";
import { type RequestedService, type RequestService, requestService } from "../../modules/services/request-service.ts";
import { ADD_SERVICE } from "../../modules/services/services.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { databaseStep, type REQUIRES_APPROVAL, type SagaRun, vendorStep } from "../../operations/saga.ts";
import { openVault } from "../../vault/open-vault.ts";
import { canReadProject } from "../can-read-project.ts";
import { checkSpending, checkSpendingAgent } from "../check-spending.ts";
import { releaseResource } from "../release-service.ts";
import { provision } from "./provision.ts";
import { setUpPayment } from "./set-up-payment.ts";
import { storeCredentials } from "./store-credentials.ts";

type Run = Pick<SagaRun<ProvisioningContext>, "app" | "actor" | "state">;

const operation = "service.add";

/** Throws the errors of `checkSpendingAgent` if the agent must not add the service. */
function checkAgent(tx: Tx, run: Run): Promise<void> {
  return checkSpendingAgent(tx, run, { operation });
}

/** Decides whether the service can be added, and reserves its cost. See `checkSpending`. */
function checkPolicy(tx: Tx, run: Run): Promise<typeof REQUIRES_APPROVAL | undefined> {
  const { app, actor, state } = run;
  const { service, plan, serviceId } = state;
  return checkSpending(tx, run, {
    operation,
    subject: { type: "service", id: serviceId },
    title: (projectName) => `Add ${service} (plan ${plan}) to the project ${projectName}`,
    reserve: (options) => reserveService(tx, app, actor, state, options),
  });
}

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
