import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { deleteServiceSecrets, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/** Sets the service to `failed` and deletes its secrets. Call it after undoing the steps that had completed. */
export async function failService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  {
    provisioning,
    code,
    undone,
  }: {
    readonly provisioning: Pick<ProvisioningContext, "tenantId" | "operationId" | "serviceId">;
    /** The code of the error that prevented the service from being added. */
    readonly code: string;
    /** The names of the steps that were undone. */
    readonly undone: readonly string[];
  },
): Promise<void> {
  await deleteServiceSecrets(tx, provisioning);
  const at = app.clock.now();
  const service = await updateServiceRow(tx, provisioning, { status: "failed", updatedAt: at });
  await recordServiceChange(tx, actor, {
    action: "service.failed",
    service,
    facts: { operation_id: provisioning.operationId, code, undone: [...undone] },
    occurredAt: at,
  });
}
