import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationId } from "../../../../foundation/ids.ts";
import { getOperationById, updateOperationRow } from "../../../../operations/queries.ts";
import { type Service, updateServiceRow } from "../queries.ts";
import { updateRotation } from "./queries.ts";

/**
 * Sets the grace period of a running rotation to 0. If the rotation is already waiting for the end of its grace period, the
 * wait ends now. The caller must have locked the service.
 */
export async function endGrace(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  service: Service,
  operationId: OperationId,
): Promise<void> {
  const key = { tenantId: service.tenantId, operationId };
  const at = clock.now();
  await updateRotation(tx, key, { reason: "compromised", gracePeriodSeconds: 0 });
  const { resumesAt } = await getOperationById(tx, key);
  if (resumesAt === null || resumesAt <= at) return;
  await updateOperationRow(tx, key, { resumesAt: at, updatedAt: at });
  await updateServiceRow(tx, service, { credentialPreviousValidUntil: at, updatedAt: at });
}
