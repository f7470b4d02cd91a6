import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { countEnvChange } from "../../queries.ts";
import { updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { FIRST_CREDENTIAL, type ProvisioningContext } from "./provisioning-context.ts";

/** The service is there: for its project's environment, for the audit trail and for whoever listens, all at once. */
export async function activateService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  provisioning: Pick<ProvisioningContext, "tenantId" | "operationId" | "serviceId" | "projectId">,
): Promise<void> {
  const at = app.clock.now();
  // Whoever locks both locks the project first.
  await countEnvChange(tx, provisioning, at);
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
