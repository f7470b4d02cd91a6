import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { expectCallback } from "../../../../operations/track-operation.ts";
import { updateServiceRow } from "../queries.ts";
import type { Addition } from "./addition.ts";

/** The provider works on it. */
export async function awaitProvider(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  {
    addition: { serviceId },
    resourceId,
    expectedSeconds,
  }: {
    readonly addition: Pick<Addition, "serviceId">;
    readonly resourceId: string;
    readonly expectedSeconds: number;
  },
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
  await expectCallback(tx, app, key, expectedSeconds);
  return null;
}
