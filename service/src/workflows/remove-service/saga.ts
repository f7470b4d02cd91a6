import type { App } from "../../app.ts";
import type { DurableWorkflow } from "../../durable/durable-execution.ts";
import { completeRemoval, loadRemoval } from "../../modules/projects/index.ts";
import { askVendor, callOperator, errorOf } from "../../operations/ask-vendor.ts";
import type { OperationKey } from "../../operations/queries.ts";
import { leaveToOperator } from "../../operations/track-operation.ts";
import { forgetAddition } from "../forget-addition.ts";
import { releaseResource } from "../release-resource.ts";

export const REMOVE_SERVICE = "service.remove";

/** Removes a service: its resource first, since that is what costs money, then everything that we hold of it. */
export function removeServiceSaga(app: App): DurableWorkflow {
  return async (context, input) => {
    const key = input as OperationKey;
    const saga = { app, context, key };
    const removal = await context.transaction("load", (tx) => loadRemoval(tx, key));
    try {
      if (!removal.stays) {
        await askVendor(saga, "provider_deprovisioning", () => releaseResource(app, key, removal), {
          patience: "long",
        });
      }
      const service = { tenantId: key.tenantId, serviceId: removal.serviceId };
      await context.call("credential_destruction", () => forgetAddition(app, service));
      await context.transaction("complete", (tx) => completeRemoval(tx, app, key));
    } catch (failure) {
      await callOperator(saga, errorOf(app, key, failure), leaveToOperator);
    }
  };
}
