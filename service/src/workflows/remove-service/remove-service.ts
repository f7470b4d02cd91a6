import type { App } from "../../app.ts";
import type { OperationId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import {
  finishRemoval,
  loadRemoval,
  type Removal,
  type RequestRemoval,
  requestRemoval,
} from "../../modules/services/remove-service.ts";
import { REMOVE_SERVICE } from "../../modules/services/services.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
import { canReadProject } from "../pull-env.ts";
import { releaseService } from "../release-service.ts";

/** Removes a service: first the resource, because it costs money, then Purser's data about the service. */
export const removeServiceSaga = defineSaga<Removal>({
  type: REMOVE_SERVICE,
  readScope: "projects:read",
  canRead: canReadProject,
  load: (tx, _app, { tenantId, serviceId }) => {
    invariant(serviceId !== null, "an operation that removes a service has its id");
    return loadRemoval(tx, { tenantId, serviceId });
  },
  steps: [
    vendorStep("provider_deprovisioning", async (run, commit) => {
      const { app, context, state: removal } = run;
      await releaseService(run, "provider_deprovisioning", removal);
      await context.call("credential_destruction", () => deleteProvisioningHistory(app, removal));
      await commit(async () => ({}));
    }),
    databaseStep("credential_destruction", (tx, { app, actor, state }) => finishRemoval(tx, app, actor, state)),
    // The `credential_destruction` step also updates the service's row and writes the audit entry, so these two steps
    // do nothing.
    databaseStep("service_record"),
    databaseStep("audit"),
  ],
});

/**
 * Removes a service and waits for at most `syncWaitMs`. The operation shows the progress. From this call on, env
 * bundles do not contain the service's variables. Throws the errors of `requestRemoval`.
 */
export async function removeService(app: App, command: Omit<RequestRemoval, "kind">): Promise<OperationId> {
  const { serviceId, key } = command;
  const kind = removeServiceSaga;
  const { operationId, isDone } = await requestRemoval(app, { ...command, kind });
  if (isDone) await deleteProvisioningHistory(app, { ...key, serviceId });
  else await runOperation(app, kind.type, { tenantId: key.tenantId, operationId });
  return operationId;
}
