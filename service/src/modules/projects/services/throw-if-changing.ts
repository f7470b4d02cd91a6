import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import { findOpenOperation } from "../../../operations/queries.ts";
import { ADD_SERVICE, ROTATE_SERVICE, UPGRADE_SERVICE } from "../operation-types.ts";
import type { Service } from "./queries.ts";

/** The operations of a service that exclude one another, and its removal. */
const CHANGES = [ADD_SERVICE, ROTATE_SERVICE, UPGRADE_SERVICE] as const;

/** Returns the operation that adds or changes the service and has not ended. Undefined if there is none. */
export async function findChange(
  tx: Tx,
  { tenantId, serviceId: subjectId }: Pick<Service, "tenantId" | "serviceId">,
) {
  for (const type of CHANGES) {
    const operationId = await findOpenOperation(tx, { tenantId, type, subjectId });
    if (operationId !== undefined) return { type, operationId };
  }
  return undefined;
}

/** Throws `conflict` with the URL of the operation that adds or changes the service, until it has ended. */
export async function throwIfChanging(tx: Tx, service: Service): Promise<void> {
  const change = await findChange(tx, service);
  if (change === undefined) return;
  const { type, operationId } = change;
  throw new AppError("conflict", {
    detail: `The operation ${operationId} (${type}) has not ended. Repeat the call when it has.`,
    retryAfterSeconds: 2,
    nextAction: {
      type: "wait_for_operation",
      actor: "agent",
      url: `/api/v1/svc/projects/${service.projectId}/operations/${operationId}`,
    },
  });
}
