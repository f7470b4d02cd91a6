import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { passStep } from "../../../../operations/track-operation.ts";
import { updateServiceRow } from "../queries.ts";
import type { Addition } from "./addition.ts";

export async function passProvisioning(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  {
    addition: { serviceId },
    resourceId,
  }: { readonly addition: Pick<Addition, "serviceId">; readonly resourceId: string },
): Promise<null> {
  await updateServiceRow(
    tx,
    { tenantId: key.tenantId, serviceId },
    {
      status: "provisioning",
      providerResourceId: resourceId,
      updatedAt: app.clock.now(),
    },
  );
  await passStep(tx, app, key, { step: "provider_provisioning", next: "credential_storage" });
  return null;
}
