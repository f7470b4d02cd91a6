import type { App } from "../../app.ts";
import type { DurableWorkflow } from "../../durable/durable-execution.ts";
import {
  beginCascade,
  completeDeletion,
  failDeletion,
  finishCascade,
  listServicesLeft,
  passServices,
  type Removal,
} from "../../modules/projects/index.ts";
import { askVendor, callOperator, errorOf, type Saga } from "../../operations/ask-vendor.ts";
import type { OperationKey } from "../../operations/queries.ts";
import { forgetAddition } from "../forget-addition.ts";
import { releaseResource } from "../release-resource.ts";

export const DELETE_PROJECT = "project.delete";

const LOOK_AGAIN_MS = 500;

/** Deletes a project with all its services, its customer at the payment processor, its links and its variables. */
export function deleteProjectSaga(app: App): DurableWorkflow {
  return async (context, input) => {
    const key = input as OperationKey;
    const saga = { app, context, key };
    try {
      await removeServices(saga);
      const payment = await context.transaction("services", (tx) => passServices(tx, app, key));
      const { customerId, mode } = payment;
      if (customerId !== null) {
        await askVendor(saga, "payment_customer", async () => {
          await app.billing[mode].deleteCustomer(customerId);
          return null;
        });
      }
      await context.transaction("project_record", (tx) => completeDeletion(tx, app, key));
    } catch (failure) {
      await callOperator(saga, errorOf(app, key, failure), failDeletion);
    }
  };
}

/** Nothing is added any more, but what was begun before ends first: then it is there to be removed, or it never was. */
async function removeServices(saga: Saga): Promise<void> {
  const { context, key } = saga;
  for (;;) {
    const left = await context.transaction("services: list", (tx) => listServicesLeft(tx, key));
    for (const removal of left.removals) await removeOne(saga, removal);
    if (left.beingAdded === 0 && left.removals.length === 0) return;
    if (left.removals.length === 0) await context.sleep("services", LOOK_AGAIN_MS);
  }
}

async function removeOne(saga: Saga, removal: Removal): Promise<void> {
  const { app, context, key } = saga;
  const { serviceId, stays } = removal;
  const step = `services: ${serviceId}`;
  await context.transaction(`${step}: begin`, (tx) => beginCascade(tx, app, key, serviceId));
  if (!stays) {
    await askVendor(saga, step, () => releaseResource(app, key, removal), { patience: "long" });
  }
  const service = { tenantId: key.tenantId, serviceId };
  await context.call(`${step}: forget`, () => forgetAddition(app, service));
  await context.transaction(`${step}: finish`, (tx) => finishCascade(tx, app, key, serviceId));
}
