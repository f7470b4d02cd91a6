import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { OperationId } from "../../../foundation/ids.ts";
import { findOpenOperationOf } from "../../../operations/queries.ts";
import { REMOVE_SERVICE } from "../operation-types.ts";
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
export function waitFor({ projectId }: Pick<Service, "projectId">, operationId: OperationId) {
  const url = `/api/v1/svc/projects/${projectId}/operations/${operationId}`;
  return { type: "wait_for_operation", actor: "agent", url } as const;
}
