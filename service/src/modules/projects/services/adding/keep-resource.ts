import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import { updateServiceRow } from "../queries.ts";
import type { Addition } from "./addition.ts";

/** Writes down what the service has at its provider, up or coming up. */
export async function keepResource(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  addition: Pick<Addition, "tenantId" | "serviceId">,
  providerResourceId: string,
): Promise<void> {
  const updatedAt = clock.now();
  const change = { status: "provisioning" as const, providerResourceId, updatedAt };
  await updateServiceRow(tx, addition, change);
}
