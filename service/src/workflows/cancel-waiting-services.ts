import type { App } from "../app.ts";
import type { Actor } from "../audit/append.ts";
import type { Tx } from "../db/database.ts";
import type { ProjectId, ServiceId, TenantId } from "../foundation/ids.ts";
import { cancelApprovalsOf } from "../modules/approvals/index.ts";
import { ADD_SERVICE, failPlanChange, failService, getPlanChange, UPGRADE_SERVICE } from "../modules/projects/index.ts";
import { failOperation } from "../operations/end-operation.ts";
import { findOpenOperation, listSubjectsOf, lockWaitingOperation } from "../operations/queries.ts";

const CANCELED = {
  code: "conflict",
  detail: "The service was removed before it was approved.",
} as const;

const ROTATED = {
  code: "conflict",
  detail: "A compromised credential of the service was rotated before the change was approved.",
} as const;

interface WaitingServices {
  readonly tenantId: TenantId;
  readonly projectId: ProjectId;
  /** Undefined: all services of the project. */
  readonly serviceId?: ServiceId | undefined;
}

/**
 * Cancels the approvals that services of the project wait for, and ends their addition or their change of plan. The services
 * can then be removed.
 */
export async function cancelWaitingServices(
  tx: Tx,
  app: Pick<App, "clock" | "settings">,
  actor: Actor,
  { tenantId, projectId, serviceId }: WaitingServices,
): Promise<void> {
  await cancelPlanChanges(tx, app, actor, { tenantId, projectId, serviceId, error: CANCELED });
  const type = ADD_SERVICE;
  const waiting = await listSubjectsOf(tx, { tenantId, projectId, type }, ["requires_approval"]);
  for (const subjectId of waiting) {
    if (serviceId !== undefined && subjectId !== serviceId) continue;
    await cancelApprovalsOf(tx, app, actor, { subject: { type: "service", id: subjectId } });
    const operationId = await lockWaitingOperation(tx, { tenantId, type, subjectId });
    // A decision that was committed meanwhile has resumed it.
    if (operationId === undefined) continue;
    const key = { tenantId, operationId };
    await failOperation(tx, app, key, { error: CANCELED, undone: [] });
    const provisioning = { ...key, serviceId: subjectId as ServiceId };
    await failService(tx, app, actor, { provisioning, code: CANCELED.code, undone: [] });
  }
}

/** Cancels changes of plan that wait for an approval, so that compromised credentials can be rotated. */
export function cancelWaitingPlanChanges(
  tx: Tx,
  app: Pick<App, "clock" | "settings">,
  actor: Actor,
  services: WaitingServices,
): Promise<void> {
  return cancelPlanChanges(tx, app, actor, { ...services, error: ROTATED });
}

async function cancelPlanChanges(
  tx: Tx,
  app: Pick<App, "clock" | "settings">,
  actor: Actor,
  { tenantId, projectId, serviceId, error }: WaitingServices & { readonly error: typeof CANCELED | typeof ROTATED },
): Promise<void> {
  const type = UPGRADE_SERVICE;
  const waiting = await listSubjectsOf(tx, { tenantId, projectId, type }, ["requires_approval"]);
  for (const subjectId of waiting) {
    if (serviceId !== undefined && subjectId !== serviceId) continue;
    const id = await findOpenOperation(tx, { tenantId, type, subjectId });
    if (id === undefined) continue;
    await cancelApprovalsOf(tx, app, actor, { subject: { type: "operation", id } });
    const operationId = await lockWaitingOperation(tx, { tenantId, type, subjectId });
    // A decision that was committed meanwhile has resumed it.
    if (operationId === undefined) continue;
    const key = { tenantId, operationId };
    await failOperation(tx, app, key, { error, undone: [] });
    const change = await getPlanChange(tx, key);
    await failPlanChange(tx, app, actor, { change, code: error.code });
  }
}
