import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { passStep } from "../../../../operations/track-operation.ts";
import { moveCharges } from "../../charges/queries.ts";
import { updateServiceRow } from "../queries.ts";
import type { Addition } from "./addition.ts";

/** What a plan costs a month is owed from here on; what is set aside for use stays reserved until the use is billed. */
export async function passServiceRecord(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  { serviceId }: Pick<Addition, "serviceId">,
): Promise<null> {
  const place = { tenantId: key.tenantId, serviceId };
  const { priceCents } = await updateServiceRow(tx, place, { updatedAt: app.clock.now() });
  if (priceCents > 0n) await moveCharges(tx, place, { from: "reserved", to: "pending" });
  await passStep(tx, app, key, { step: "service_record", next: "audit" });
  return null;
}
