import { invariant } from "../../foundation/invariant.ts";
import {
  finishRemoval,
  loadRemoval,
  REMOVE_SERVICE,
  type Removal,
} from "../../modules/projects/index.ts";
import { callVendor } from "../../operations/call-vendor.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { deleteProvisioningHistory } from "../delete-provisioning-history.ts";
import { isProjectWithinReach } from "../is-project-within-reach.ts";
import { releaseResource } from "../release-resource.ts";

/** Removes a service: its resource first, since that is what costs money, then everything that we hold of it. */
export const removeServiceSaga = defineSaga<Removal>({
  type: REMOVE_SERVICE,
  readScope: "projects:read",
  isReached: isProjectWithinReach,
  load: (tx, _app, { tenantId, serviceId }) => {
    invariant(serviceId !== null, "an operation that removes a service names it");
    return loadRemoval(tx, { tenantId, serviceId });
  },
  steps: [
    vendorStep("provider_deprovisioning", async (run, commit) => {
      const { app, context, state: removal } = run;
      if (!removal.stays) {
        const release = () => releaseResource(app, removal);
        await callVendor(run, "provider_deprovisioning", release, { patience: "long" });
      }
      await context.call("credential_destruction", () => deleteProvisioningHistory(app, removal));
      await commit(async () => ({}));
    }),
    databaseStep("credential_destruction", (tx, { app, actor, state }) =>
      finishRemoval(tx, app, actor, state),
    ),
    // The row and the entry of the trail go with the credentials.
    databaseStep("service_record"),
    databaseStep("audit"),
  ],
});
