import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { deleteServiceSecrets, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import type { Addition } from "./addition.ts";

/** Ends an addition that came to nothing: what was stored is destroyed. */
export async function abandonService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  {
    addition,
    code,
    undone,
  }: {
    readonly addition: Pick<Addition, "tenantId" | "operationId" | "serviceId">;
    /** Why, in a code of our own catalog. */
    readonly code: string;
    readonly undone: readonly string[];
  },
): Promise<void> {
  await deleteServiceSecrets(tx, addition);
  const at = app.clock.now();
  const service = await updateServiceRow(tx, addition, { status: "failed", updatedAt: at });
  await recordServiceChange(tx, actor, {
    action: "service.failed",
    service,
    facts: { operation_id: addition.operationId, code, undone: [...undone] },
    occurredAt: at,
  });
}
