import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { LinkId, OperationId, ServiceId, TenantId } from "../../foundation/ids.ts";
import { createOperation, type NewOperation, recordCompletedOperation } from "../../operations/operations.ts";
import { findOpenOperation } from "../../operations/queries.ts";
import { endCharges } from "../charges/settle-charge.ts";
import { incrementEnvVersion, lockProject, type ProjectKey } from "../projects/queries.ts";
import { cancelWaitingServices } from "./cancel-waiting-services.ts";
import { lockOwnProject } from "./provisioning/provisioning-context.ts";
import { lockService, type Service, type ServiceKey, serviceRows, serviceSecretRows } from "./queries.ts";
import { resourceNameOf } from "./resource-name.ts";
import { credentialPullRows } from "./rotation/queries.ts";
import { type FormerCredential, findFormerCredential } from "./rotation/rotation.ts";
import { removalEffectOf } from "./service-resource.ts";
import { recordServiceChange, throwIfChanging } from "./services.ts";

/** A service to remove, with the resource to destroy or detach. */
export interface Removal {
  readonly tenantId: TenantId;
  readonly serviceId: ServiceId;
  readonly provider: string;
  readonly linkId: LinkId;
  readonly resourceName: string;
  readonly resourceId: string | null;
  /** True if the resource was adopted: it remains at the provider. */
  readonly stays: boolean;
  /** If the resource stays: the credential that the provider may still accept after a rotation. Null if there is none. */
  readonly former: FormerCredential | null;
}

export async function loadRemoval(tx: Tx, key: ServiceKey): Promise<Removal> {
  return removalOf(tx, await serviceRows.lockAndGet(tx, key));
}

export async function removalOf(tx: Tx, service: Service): Promise<Removal> {
  const { tenantId, serviceId, provider, linkId, providerResourceId: resourceId } = service;
  const common = { tenantId, serviceId, provider, linkId };
  const { adopted: stays } = service;
  const former = stays ? await findFormerCredential(tx, service) : null;
  return { ...common, resourceName: resourceNameOf(service), resourceId, stays, former };
}

/**
 * Sets the service to `removing`. Env bundles then no longer contain its variables. The caller must have locked the
 * project.
 */
export async function startRemoval(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { actor, service }: { readonly actor: Actor; readonly service: Service },
): Promise<Service> {
  const updatedAt = clock.now();
  const removing = await serviceRows.updateAndGet(tx, service, {
    ...{ status: "removing", updatedAt },
    ...{ pendingPlan: null, pendingPlanAt: null },
  });
  await incrementEnvVersion(tx, service, updatedAt);
  await recordServiceChange(tx, actor, {
    action: "service.removal_requested",
    service: removing,
    occurredAt: updatedAt,
  });
  return removing;
}

/** Deletes the service's secrets and sets it to `removed`. Does nothing if the service is already removed. */
export async function finishRemoval(tx: Tx, app: Pick<App, "clock">, actor: Actor, key: ServiceKey): Promise<void> {
  // All transactions lock the project before the service, which prevents deadlocks.
  const project = await lockOwnProject(tx, await serviceRows.get(tx, key));
  const service = await serviceRows.lockAndGet(tx, key);
  if (service.status === "removed") return;
  const at = app.clock.now();
  await serviceSecretRows.remove(tx, key);
  await credentialPullRows.remove(tx, key);
  await endCharges(tx, app, actor, { project, service });
  const removed = await serviceRows.updateAndGet(tx, key, {
    status: "removed",
    credentialPreviousValidUntil: null,
    removedAt: at,
    updatedAt: at,
  });
  await recordServiceChange(tx, actor, {
    action: "service.removed",
    service: removed,
    facts: {
      provider_resource_id: service.providerResourceId,
      effect: removalEffectOf(service),
    },
    occurredAt: at,
  });
}

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
