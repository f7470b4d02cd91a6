import { invariant } from "../../foundation/invariant.ts";
import { REMOVE_SERVICE } from "../../modules/services/operation-types.ts";
import { finishRemoval, loadRemoval, type Removal } from "../../modules/services/remove-steps.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { canReadProject } from "../can-read-project.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
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
