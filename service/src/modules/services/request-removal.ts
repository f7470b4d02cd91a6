import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { OperationId, ServiceId } from "../../foundation/ids.ts";
import { createOperation, type NewOperation, recordCompletedOperation } from "../../operations/create-operation.ts";
import { findOpenOperation } from "../../operations/queries.ts";
import { lockProject, type ProjectKey } from "../projects/queries.ts";
import { cancelWaitingServices } from "./cancel-waiting-services.ts";
import { lockService } from "./queries.ts";
import { finishRemoval, startRemoval } from "./remove-steps.ts";
import { throwIfChanging } from "./throw-if-changing.ts";

export interface RequestRemoval {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly serviceId: ServiceId;
  /** The saga that removes the service. */
  readonly kind: NewOperation["kind"];
}

export interface RequestedRemoval {
  readonly operationId: OperationId;
  /** True if the operation is already complete and needs no workflow. */
  readonly isDone: boolean;
}

/**
 * Cancels what waits for the service, sets it to `removing` and creates the operation that removes it. If the service is already being removed,
 * returns the running operation. Throws `project_not_found` or `service_not_found`, or `conflict` if the service is
 * still being added or changed.
 */
export async function requestRemoval(
  app: Pick<App, "db" | "clock" | "settings">,
  { actor, key, serviceId, kind }: RequestRemoval,
): Promise<RequestedRemoval> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    await lockService(tx, project, serviceId);
    await cancelWaitingServices(tx, app, actor, { ...project, serviceId });
    const service = await lockService(tx, project, serviceId);
    await throwIfChanging(tx, service);
    const running = await findOpenOperation(tx, {
      tenantId: key.tenantId,
      type: kind.type,
      subjectId: serviceId,
    });
    if (running !== undefined) return { operationId: running, isDone: false };
    const { projectId } = service;
    const work = { kind, subject: { type: "service", id: serviceId }, projectId };
    if (service.status === "failed") {
      // A service that failed to be added has no resource at the provider, so no workflow is needed.
      await finishRemoval(tx, app, actor, service);
      const skipped = ["provider_deprovisioning"];
      const operationId = await recordCompletedOperation(tx, app, actor, { ...work, skipped });
      return { operationId, isDone: true };
    }
    await startRemoval(tx, app, { actor, service });
    return { operationId: await createOperation(tx, app, actor, work), isDone: false };
  });
}
