import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { incrementEnvVersion } from "../../queries.ts";
import { updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { FIRST_CREDENTIAL, type ProvisioningContext } from "./provisioning-context.ts";

/** Sets the service to `active`. Once the transaction commits, env bundles contain its variables. */
export async function activateService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  provisioning: Pick<ProvisioningContext, "tenantId" | "operationId" | "serviceId" | "projectId">,
): Promise<void> {
  const at = app.clock.now();
  // Incrementing the version locks the project. All transactions lock the project before the service, which prevents
  // deadlocks.
  await incrementEnvVersion(tx, provisioning, at);
  const service = await updateServiceRow(tx, provisioning, {
    status: "active",
    credentialVersion: FIRST_CREDENTIAL,
    credentialRotatedAt: at,
    updatedAt: at,
  });
  const facts = {
    operation_id: provisioning.operationId,
    provider_resource_id: service.providerResourceId,
    env_names: Object.values(service.envNames).sort(),
  };
  await recordServiceChange(tx, actor, { action: "service.added", service, facts, occurredAt: at });
}
