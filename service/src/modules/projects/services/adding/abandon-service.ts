import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationError } from "../../../../db/schema.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { actorOfOperation, failOperation } from "../../../../operations/track-operation.ts";
import { moveCharges } from "../../charges/queries.ts";
import { deleteServiceSecrets, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import type { AddServiceStep } from "../request-service.ts";
import type { Addition } from "./addition.ts";

/** Ends an addition that came to nothing: what was reserved is released, what was stored is destroyed. */
export async function abandonService(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  {
    addition: { serviceId },
    error,
    undone,
  }: {
    readonly addition: Pick<Addition, "serviceId">;
    readonly error: OperationError;
    readonly undone: readonly AddServiceStep[];
  },
): Promise<null> {
  const place = { tenantId: key.tenantId, serviceId };
  await moveCharges(tx, place, { from: "reserved", to: "released" });
  await moveCharges(tx, place, { from: "pending", to: "released" });
  await deleteServiceSecrets(tx, place);
  const at = app.clock.now();
  const service = await updateServiceRow(tx, place, { status: "failed", updatedAt: at });
  await failOperation(tx, app, key, { error, undone });
  await recordServiceChange(tx, await actorOfOperation(tx, key), {
    action: "service.failed",
    service,
    facts: { operation_id: key.operationId, code: error.code, undone: [...undone] },
    occurredAt: at,
  });
  return null;
}
