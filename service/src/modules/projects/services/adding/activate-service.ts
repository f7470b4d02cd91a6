import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { actorOfOperation, succeedOperation } from "../../../../operations/track-operation.ts";
import { countEnvChange } from "../../queries.ts";
import { updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import type { Addition } from "./addition.ts";

/** The service is there: for its project's environment, for the audit trail and for whoever listens, all at once. */
export async function activateService(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  { serviceId, projectId }: Pick<Addition, "serviceId" | "projectId">,
): Promise<null> {
  const at = app.clock.now();
  const { tenantId } = key;
  await countEnvChange(tx, { tenantId, projectId }, at);
  const change = { status: "active" as const, updatedAt: at };
  const service = await updateServiceRow(tx, { tenantId, serviceId }, change);
  const actor = await actorOfOperation(tx, key);
  const facts = {
    operation_id: key.operationId,
    provider_resource_id: service.providerResourceId,
    env_names: Object.values(service.envNames).sort(),
  };
  await recordServiceChange(tx, actor, { action: "service.added", service, facts, occurredAt: at });
  await succeedOperation(tx, app, key, "audit");
  return null;
}
