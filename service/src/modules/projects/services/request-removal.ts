import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { OperationId, ServiceId } from "../../../foundation/ids.ts";
import {
  beginOperation,
  type NewOperation,
  recordCompletedOperation,
} from "../../../operations/begin-operation.ts";
import { findRunningOperation } from "../../../operations/queries.ts";
import { ADD_SERVICE } from "../operation-types.ts";
import { lockProject, type ProjectKey } from "../queries.ts";
import { lockService, type Service } from "./queries.ts";
import { beginRemoval, finishRemoval } from "./remove-steps.ts";

export interface RequestRemoval {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly serviceId: ServiceId;
  /** The saga that will remove it. */
  readonly kind: NewOperation["kind"];
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
  { actor, key, serviceId, kind }: RequestRemoval,
): Promise<RequestedRemoval> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const service = await lockService(tx, project, serviceId);
    await refuseWhileAdded(tx, service);
    const running = await findRunningOperation(tx, {
      tenantId: key.tenantId,
      type: kind.type,
      subjectId: serviceId,
    });
    if (running !== undefined) return { operationId: running, isDone: false };
    const { projectId } = service;
    const work = { kind, subject: { type: "service", id: serviceId }, projectId };
    if (service.status === "failed") {
      // An addition that failed has left nothing anywhere, so nobody is asked. Its name may be another's by now.
      await finishRemoval(tx, app, actor, service);
      const skipped = ["provider_deprovisioning"];
      const operationId = await recordCompletedOperation(tx, app, actor, { ...work, skipped });
      return { operationId, isDone: true };
    }
    await beginRemoval(tx, app, { actor, service });
    return { operationId: await beginOperation(tx, app, actor, work), isDone: false };
  });
}

async function refuseWhileAdded(tx: Tx, service: Service): Promise<void> {
  const { tenantId, serviceId } = service;
  const work = { tenantId, type: ADD_SERVICE, subjectId: serviceId };
  const adding = await findRunningOperation(tx, work);
  if (adding === undefined) return;
  const detail = `The service is still being added, by the operation ${adding}. Remove it when that has ended.`;
  throw new AppError("conflict", { detail, retryAfterSeconds: 2 });
}
