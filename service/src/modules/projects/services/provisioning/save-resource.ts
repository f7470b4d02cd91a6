import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { updateServiceRow } from "../queries.ts";
import type { ProvisioningContext } from "./provisioning-context.ts";

/** Stores the provider's ID of the resource, which may not be ready yet. */
export async function saveResource(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  provisioning: Pick<ProvisioningContext, "tenantId" | "serviceId">,
  providerResourceId: string,
): Promise<void> {
  const updatedAt = clock.now();
  const change = { status: "provisioning" as const, providerResourceId, updatedAt };
  await updateServiceRow(tx, provisioning, change);
}
