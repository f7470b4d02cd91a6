import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../operations/queries.ts";
import { actorOfOperation, succeedOperation } from "../../operations/track-operation.ts";
import { updateProjectRow } from "../../queries.ts";
import { updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import type { Addition } from "./addition.ts";
import { lockOwnProject } from "./lock-own-project.ts";

/** The service is there: for its project's environment, for the audit trail and for whoever listens, all at once. */
export async function activateService(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  { serviceId }: Pick<Addition, "serviceId">,
): Promise<null> {
  const at = app.clock.now();
  const place = { tenantId: key.tenantId, serviceId };
  const service = await updateServiceRow(tx, place, { status: "active", updatedAt: at });
  const project = await lockOwnProject(tx, service);
  await updateProjectRow(tx, project, { envVersion: project.envVersion + 1, updatedAt: at });
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
