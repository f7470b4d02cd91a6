import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { OperationId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { findOpenOperationOf, listOperationsOf } from "../../operations/queries.ts";
import { REMOVE_SERVICE, UPGRADE_SERVICE } from "./operation-types.ts";
import type { Service } from "./queries.ts";

/** Returns the operation that adds or changes the service and has not ended. Undefined if there is none. */
export async function findChange(tx: Tx, { tenantId, serviceId: subjectId }: Pick<Service, "tenantId" | "serviceId">) {
  const open = await findOpenOperationOf(tx, { tenantId, subjectId });
  return open?.type === REMOVE_SERVICE ? undefined : open;
}

/** Throws `conflict` with the URL of the operation that adds or changes the service, until it has ended. */
export async function throwIfChanging(tx: Tx, service: Service): Promise<void> {
  const change = await findChange(tx, service);
  if (change !== undefined) throw changing(service, change);
}

/** Throws `conflict` with the URL of the change of plan about which an operator has to decide. */
export async function throwIfUndecided(tx: Tx, service: Service): Promise<void> {
  if (service.status !== "updating") return;
  const { tenantId, serviceId: subjectId } = service;
  const [operationId] = await listOperationsOf(tx, { tenantId, type: UPGRADE_SERVICE, subjectId }, 1);
  invariant(operationId !== undefined, "a service that is updating has an operation");
  throw new AppError("conflict", {
    detail: `It is not known yet which plan the provider has in place: the operation ${operationId} needs an operator. Repeat the call when its status is another one.`,
    nextAction: waitFor(service, operationId),
  });
}

/** Returns the `conflict` error for a service that this operation changes. */
export function changing(
  service: Pick<Service, "projectId">,
  { type, operationId }: { readonly type: string; readonly operationId: OperationId },
): AppError {
  return new AppError("conflict", {
    detail: `The operation ${operationId} (${type}) has not ended. Repeat the call when it has.`,
    retryAfterSeconds: 2,
    nextAction: waitFor(service, operationId),
  });
}

/** Returns the `next_action` that tells the caller which operation to wait for. */
function waitFor({ projectId }: Pick<Service, "projectId">, operationId: OperationId) {
  const url = `/api/v1/svc/projects/${projectId}/operations/${operationId}`;
  return { type: "wait_for_operation", actor: "agent", url } as const;
}
