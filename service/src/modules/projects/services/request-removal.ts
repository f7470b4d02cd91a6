import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { OperationId, ServiceId } from "../../../foundation/ids.ts";
import { beginOperation } from "../../../operations/begin-operation.ts";
import { findRunningOperation } from "../../../operations/queries.ts";
import { passStep, succeedOperation } from "../../../operations/track-operation.ts";
import { lockProject, type ProjectKey } from "../queries.ts";
import { lockService, type Service } from "./queries.ts";
import { beginRemoval, finishRemoval } from "./remove-steps.ts";

const REMOVE_SERVICE_STEPS = [
  "provider_deprovisioning",
  "credential_destruction",
  "service_record",
  "audit",
] as const;

export interface RequestRemoval {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly serviceId: ServiceId;
}

export interface RequestedRemoval {
  readonly operationId: OperationId;
  /** Nothing is left to be done for it. */
  readonly isDone: boolean;
}

/**
 * Writes down that a service is to be removed, and the operation that will do it; where one runs already, that one. Throws
 * `service_not_found`, and `conflict` while the service is still being added.
 */
export async function requestRemoval(
  app: Pick<App, "db" | "clock">,
  { actor, key, serviceId }: RequestRemoval,
): Promise<RequestedRemoval> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const service = await lockService(tx, project, serviceId);
    await refuseWhileAdded(tx, service);
    const running = await findRunningOperation(tx, project, { type: "service.remove", serviceId });
    if (running !== undefined) return { operationId: running, isDone: false };
    if (service.status === "failed") {
      return { operationId: await removeAtOnce(tx, app, actor, service), isDone: true };
    }
    const removing = await beginRemoval(tx, app, { actor, service });
    return { operationId: await beginOperation(tx, app, actor, workOn(removing)), isDone: false };
  });
}

/** An addition that failed has left nothing anywhere, so nobody is asked. Its name may be another's by now. */
async function removeAtOnce(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  service: Service,
): Promise<OperationId> {
  const operationId = await beginOperation(tx, app, actor, workOn(service));
  const key = { tenantId: service.tenantId, operationId };
  await finishRemoval(tx, app, actor, service);
  const skipped = { step: "provider_deprovisioning", as: "skipped" } as const;
  await passStep(tx, app, key, { ...skipped, next: "credential_destruction" });
  await passStep(tx, app, key, { step: "credential_destruction", next: "service_record" });
  await passStep(tx, app, key, { step: "service_record", next: "audit" });
  await succeedOperation(tx, app, key, "audit");
  return operationId;
}

async function refuseWhileAdded(tx: Tx, service: Service): Promise<void> {
  const { serviceId } = service;
  const adding = await findRunningOperation(tx, service, { type: "service.add", serviceId });
  if (adding === undefined) return;
  const detail = `The service is still being added, by the operation ${adding}. Remove it when that has ended.`;
  throw new AppError("conflict", { detail, retryAfterSeconds: 2 });
}

function workOn({ projectId, serviceId }: Service) {
  return { type: "service.remove", projectId, serviceId, steps: REMOVE_SERVICE_STEPS } as const;
}
