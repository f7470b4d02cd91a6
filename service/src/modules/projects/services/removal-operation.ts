import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { getOperationById, type OperationKey } from "../../../operations/queries.ts";
import {
  actorOfOperation,
  passStep,
  succeedOperation,
} from "../../../operations/track-operation.ts";
import { lockServiceById, type ServiceKey } from "./queries.ts";
import { finishRemoval, type Removal, removalOf } from "./remove-steps.ts";

export async function loadRemoval(tx: Tx, key: OperationKey): Promise<Removal> {
  return removalOf(await lockServiceById(tx, await serviceOf(tx, key)));
}

/** The resource is gone: everything else of the service goes in one transaction, its last three steps with it. */
export async function completeRemoval(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
): Promise<null> {
  await passStep(tx, app, key, {
    step: "provider_deprovisioning",
    next: "credential_destruction",
  });
  await finishRemoval(tx, app, await actorOfOperation(tx, key), await serviceOf(tx, key));
  await passStep(tx, app, key, { step: "credential_destruction", next: "service_record" });
  await passStep(tx, app, key, { step: "service_record", next: "audit" });
  await succeedOperation(tx, app, key, "audit");
  return null;
}

async function serviceOf(tx: Tx, key: OperationKey): Promise<ServiceKey> {
  const { serviceId } = await getOperationById(tx, key);
  invariant(serviceId !== null, "an operation that removes a service names it");
  return { tenantId: key.tenantId, serviceId };
}
