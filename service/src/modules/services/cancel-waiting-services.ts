import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { ProjectId, ServiceId, TenantId } from "../../foundation/ids.ts";
import { failOperation } from "../../operations/operations.ts";
import { listWaitingOperations, lockWaitingOperation } from "../../operations/queries.ts";
import { cancelApprovalsOf } from "../approvals/approvals.ts";
import { failPlanChange } from "./plan-change/finish-plan-change.ts";
import { planChangeRows } from "./plan-change/queries.ts";
import { failService } from "./provisioning/add-steps.ts";
import { ADD_SERVICE, UPGRADE_SERVICE } from "./services.ts";

const CANCELED = { code: "conflict", detail: "The service was removed before it was approved." } as const;

const ROTATED = {
  code: "conflict",
  detail: "A compromised credential of the service was rotated before the change was approved.",
} as const;

type CancelApp = Pick<App, "clock" | "settings">;

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
export function cancelWaitingServices(tx: Tx, app: CancelApp, actor: Actor, services: WaitingServices): Promise<void> {
  return cancelWaiting(tx, app, actor, services, { types: [ADD_SERVICE, UPGRADE_SERVICE], error: CANCELED });
}

/** Cancels changes of plan that wait for an approval, so that compromised credentials can be rotated. */
export function cancelWaitingPlanChanges(
  tx: Tx,
  app: CancelApp,
  actor: Actor,
  services: WaitingServices,
): Promise<void> {
  return cancelWaiting(tx, app, actor, services, { types: [UPGRADE_SERVICE], error: ROTATED });
}

async function cancelWaiting(
  tx: Tx,
  app: CancelApp,
  actor: Actor,
  { tenantId, projectId, serviceId: onlyId }: WaitingServices,
  { types, error }: { readonly types: readonly string[]; readonly error: typeof CANCELED | typeof ROTATED },
): Promise<void> {
  const found = await listWaitingOperations(tx, { tenantId, projectId, types });
  const waiting = found.filter(({ serviceId }) => onlyId === undefined || serviceId === onlyId);
  for (const { type, operationId, serviceId } of waiting) {
    const isAddition = type === ADD_SERVICE;
    const subject = isAddition ? { type: "service", id: serviceId } : { type: "operation", id: operationId };
    await cancelApprovalsOf(tx, app, actor, { subject });
    // A decision that was committed meanwhile has resumed it.
    if ((await lockWaitingOperation(tx, { tenantId, type, subjectId: serviceId })) !== operationId) continue;
    const key = { tenantId, operationId };
    await failOperation(tx, app, key, { error, undone: [] });
    const { code } = error;
    if (isAddition) await failService(tx, app, actor, { provisioning: { ...key, serviceId }, code, undone: [] });
    else await failPlanChange(tx, app, actor, { change: await planChangeRows.get(tx, key), code });
  }
}
