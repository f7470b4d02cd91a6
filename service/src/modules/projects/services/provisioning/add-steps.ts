import type { App } from "../../../../app.ts";
import type { Actor } from "../../../../audit/append.ts";
import type { Tx } from "../../../../db/database.ts";
import { incrementEnvVersion } from "../../queries.ts";
import { deleteServiceSecrets, updateServiceRow } from "../queries.ts";
import { recordServiceChange } from "../record-service-change.ts";
import { FIRST_CREDENTIAL, type ProvisioningContext } from "./provisioning-context.ts";

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

/** Sets the service to `failed` and deletes its secrets. Call it after undoing the steps that had completed. */
export async function failService(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  {
    provisioning,
    code,
    undone,
  }: {
    readonly provisioning: Pick<ProvisioningContext, "tenantId" | "operationId" | "serviceId">;
    /** The code of the error that prevented the service from being added. */
    readonly code: string;
    /** The names of the steps that were undone. */
    readonly undone: readonly string[];
  },
): Promise<void> {
  await deleteServiceSecrets(tx, provisioning);
  const at = app.clock.now();
  const service = await updateServiceRow(tx, provisioning, { status: "failed", updatedAt: at });
  await recordServiceChange(tx, actor, {
    action: "service.failed",
    service,
    facts: { operation_id: provisioning.operationId, code, undone: [...undone] },
    occurredAt: at,
  });
}
