import { invariant } from "../../foundation/invariant.ts";
import {
  finishRemoval,
  loadRemoval,
  REMOVE_SERVICE,
  type Removal,
} from "../../modules/projects/index.ts";
import { askVendor } from "../../operations/ask-vendor.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { forgetAddition } from "../forget-addition.ts";
import { isProjectReached } from "../is-project-reached.ts";
import { releaseResource } from "../release-resource.ts";

/** Removes a service: its resource first, since that is what costs money, then everything that we hold of it. */
export const removeServiceSaga = defineSaga<Removal>({
  type: REMOVE_SERVICE,
  readScope: "projects:read",
  isReached: isProjectReached,
  load: (tx, _app, { tenantId, serviceId }) => {
    invariant(serviceId !== null, "an operation that removes a service names it");
    return loadRemoval(tx, { tenantId, serviceId });
  },
  steps: [
    vendorStep("provider_deprovisioning", async (run, commit) => {
      const { app, context, state: removal } = run;
      if (!removal.stays) {
        const release = () => releaseResource(app, removal);
        await askVendor(run, "provider_deprovisioning", release, { patience: "long" });
      }
      await context.call("credential_destruction", () => forgetAddition(app, removal));
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
